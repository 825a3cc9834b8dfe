import { MemoryCounters } from '../../src/identity/infrastructure/window-counters.js';
import { behavesLikeCounters } from '../support/window-counters.js';

const memory = new MemoryCounters();
behavesLikeCounters('counters of one process', () => [memory]);
