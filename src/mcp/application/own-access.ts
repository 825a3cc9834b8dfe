import { type Api, type Json } from '../domain/api.js';
import { type Links } from '../domain/tool.js';

/** The client's own access, with the page on which its person can change that. @throws ApiRefusal */
export async function accessOf(api: Api, links: Links): Promise<Json> {
  const { body } = await api.call('GET', 'authorizations/current');
  const { id } = body['authorization'] as { id: string };
  return { ...body, change_at: links.app(id) };
}
