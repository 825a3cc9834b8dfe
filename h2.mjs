import { hash } from 'node:crypto';
const s=JSON.stringify({v:'界'.repeat(1000000)});
for(let i=0;i<5;i++){let t=performance.now(); hash('sha256',s,'base64url'); const a=performance.now()-t; t=performance.now(); hash('sha256',Buffer.from(s),'base64url'); console.log(a.toFixed(1),(performance.now()-t).toFixed(1));}
