export { ProvenanceModule } from './provenance.module.js';
