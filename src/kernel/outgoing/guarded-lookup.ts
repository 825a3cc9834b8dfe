import { type LookupAddress } from 'node:dns';
import { type LookupFunction } from 'node:net';
import { type Allowance, isCallable } from './public-addresses.js';

/**
 * The look-up of a connection, which fails unless each address of the name may be called: a name that is checked before
 * it is looked up could lead elsewhere the second time. Literals are not looked up; `callableUrl` checks them.
 */
export const guardedLookup =
  (resolve: (name: string) => Promise<LookupAddress[]>, allowance: Allowance): LookupFunction =>
  (name, options, answer) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isCallable(address, allowance))) {
          answer(new Error('the address may not be called'), '', 0);
        } else if (options.all)
          (answer as unknown as (error: null, all: LookupAddress[]) => void)(null, addresses);
        else answer(null, first.address, first.family);
      },
      (error: Error) => answer(error, '', 0),
    );
  };
