import EngineEnvironment from './engine-environment.mjs';
import * as serviceHosts from './service-hosts.mjs';

/**
 * The environment of end-to-end tests: it provides the compiled service as Node itself has loaded it, once for all the
 * files of a process. Jest would load its three thousand modules again for each file, which takes longer than most
 * tests. The processes that serve worlds outlast the files, too.
 */
export default class ServiceEnvironment extends EngineEnvironment {
  constructor(...given) {
    super(...given);
    this.global.importService = (url) => import(url);
    this.global.serviceHosts = serviceHosts;
  }
}
