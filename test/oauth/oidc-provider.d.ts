/** The parts of oidc-provider that the comparison uses; the package has no types of its own. */
declare module 'oidc-provider' {
  interface Stored {
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (
      fields: object,
    ) => Stored & { addResourceScope(resource: string, scope: string): void };
    readonly AuthorizationCode: new (fields: object) => Stored;
    callback(): import('node:http').RequestListener;
  }

  export const errors: { InvalidTarget: new () => Error };
}
