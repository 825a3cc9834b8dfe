import { render } from 'preact';

const root = document.getElementById('root');
if (root !== null) render(<main>Your graph</main>, root);
