import { type Client } from '../support/client.js';
import { everything, type Requested } from '../support/defaults.js';
import { type Both, type Twins } from './twins.js';

export interface Person {
  id: string;
  name: string;
  clients: Both<Client>;
}

export interface App {
  id: string;
  clients: Both<Client>;
}

export const clientsOf = ({ clients }: App, user: Person): Both<Client> => {
  const [one, other] = clients.map((client) => client.with({ 'X-User-ID': user.id }));
  return [one as Client, other as Client];
};

/** People and apps that both worlds have, with a client in each. */
export class Cast {
  constructor(private readonly twins: Twins) {}

  async person(): Promise<Person> {
    const name = `person${this.twins.step().replace(/\D/g, '')}`;
    const apis = this.twins.strangers;
    const body = { email: `${name}@example.org`, username: name, password: 'correct horse battery' };
    const answers = await this.twins.send(apis, { method: 'POST', path: '/auth/register', body });
    const client = (side: 0 | 1): Client =>
      apis[side].with({ Authorization: `Bearer ${answers[side].body.access_token}` });
    return { id: answers[0].body.user.id as string, name, clients: [client(0), client(1)] };
  }

  async app(requested_permissions: Requested = everything): Promise<App> {
    const developer = await this.person();
    const body = { name: 'an app', client_level: 'L2', requested_permissions };
    const answers = await this.twins.send(developer.clients, { method: 'POST', path: '/apps', body });
    const withKey = (side: 0 | 1): Client =>
      this.twins.strangers[side].with({ 'X-API-Key': answers[side].body.api_key as string });
    return { id: answers[0].body.id as string, clients: [withKey(0), withKey(1)] };
  }

  /** Lets an app in with a profile that grants all that it requests. */
  async approved(user: Person, app: App) {
    const template = { template: 'transparent', name: `all ${app.id}` };
    const profile = await this.by(user, '/exposure-profiles/from-template', template);
    const approval = { app_id: app.id, exposure_profile_id: profile };
    const authorization = await this.by(user, '/authorizations', approval);
    return { authorization, profile, clients: clientsOf(app, user) };
  }

  /** The id of what a person makes. */
  async by(person: Person, path: string, body: object): Promise<string> {
    return (await this.twins.made(person.clients, path, body)).body.id as string;
  }

  async does(person: Person, method: string, path: string, body: object): Promise<void> {
    const [answer] = await this.twins.send(person.clients, { method, path, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  }
}
