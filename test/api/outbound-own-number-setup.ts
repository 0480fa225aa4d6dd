import type { z } from 'zod';
import type { NumberCheck } from '../../shared/api/outbound-shapes.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { OWN_NUMBER } from './inbound-setup.ts';

export const RECEIVING = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };

/** Sends to the own number and does what is due. */
export async function sendHere(gateway: TestGateway, fields: Record<string, string> = {}): Promise<Fax> {
  const { id } = await gateway.send({ to: OWN_NUMBER, ...fields });
  await gateway.processAll();
  return gateway.fax(id);
}

export async function check(gateway: TestGateway, to: string): Promise<z.infer<typeof NumberCheck>> {
  const answer = await gateway.request('GET', `/fax/numbers/check?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as z.infer<typeof NumberCheck>;
}

interface Changed {
  readonly mailbox: { readonly id: string };
  readonly rule: { readonly id: string; readonly version: number };
}

/** Changes a mailbox or a rule at the present version of the access rules. */
export async function changeAccess(gateway: TestGateway, path: string, body: object): Promise<Changed> {
  const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
  const json = { ...body, expected_policy_version: me.policy_version };
  return (await (await gateway.request('POST', path, { json })).json()) as Changed;
}

export async function documentOf(gateway: TestGateway, path: string): Promise<Buffer> {
  return Buffer.from(await (await gateway.request('GET', path)).arrayBuffer());
}
