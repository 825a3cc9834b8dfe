import { type Granted, type Requested, type Who } from './table-world.js';

/** Who, what an app requests and is granted, the endpoint, the answer for a thing that is there and for one that is not. */
export type Row = [
  who: Who,
  requested: Requested,
  granted: Granted,
  endpoint: string,
  present: string,
  absent: string | null,
  body?: object,
];
