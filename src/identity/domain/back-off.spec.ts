import { waitAfter } from './back-off.js';

it.each([
  [0, 0],
  [9, 0],
  [10, 5],
  [11, 10],
  [12, 20],
  [16, 320],
  [17, 640],
  [18, 900],
  [5_000, 900],
])('an attempt after %d failures waits %d seconds', (failures, seconds) => {
  expect(waitAfter(failures)).toBe(seconds);
});
