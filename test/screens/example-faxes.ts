import { InboundGateway } from '../api/inbound-setup.ts';
import { MARA } from '../browser/console.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { letterPdf, reportPdf } from './documents.ts';

/** Headers that Mara's browser sends with each request. */
type Credential = Readonly<Record<string, string>>;
let mara: Credential = {};

async function signInMara(gateway: TestGateway): Promise<void> {
  const { login, password } = MARA;
  const origin = { Origin: gateway.url };
  const entry = await gateway.request('POST', '/auth/login', {
    key: null,
    json: { login, password },
    headers: origin,
  });
  const Cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const me = await gateway.request('GET', '/auth/me', { key: null, headers: { Cookie } });
  const { csrf_token } = (await me.json()) as { csrf_token: string };
  mara = { ...origin, Cookie, 'X-CSRF-Token': csrf_token };
}

/** The sent faxes of a morning at an invented clinic. */
export async function fillFaxes(gateway: TestGateway): Promise<{ unconfirmed: Fax; going: Fax }> {
  await signInMara(gateway);
  for (const [to, cost] of DELIVERED) {
    await end(gateway, await going(gateway, to), { cost });
    gateway.clock.advance(11 * MINUTE);
  }
  const line = { errorId: 17, errorType: 'lineError', errorMessage: 'The line was busy' };
  await end(gateway, await going(gateway, '+15035550101'), line);
  gateway.clock.advance(4 * MINUTE);
  const { id, delivery_version } = await submit(gateway, '+15035550168', {
    send_at: new Date(gateway.clock.now() + 60 * MINUTE).toISOString(),
  });
  await gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } });
  gateway.clock.advance(6 * MINUTE);
  await gateway.set({ FAX_DISABLED: true });
  await submit(gateway, '+14585550119');
  await gateway.set({ FAX_DISABLED: false });
  gateway.clock.advance(5 * MINUTE);
  const noon = new Date(gateway.clock.now() + 150 * MINUTE);
  noon.setUTCHours(12, 0, 0, 0);
  await submit(gateway, '+13605550147', { send_at: noon.toISOString() });
  gateway.clock.advance(4 * MINUTE);
  gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const unconfirmed = await going(gateway, '+19715550163');
  gateway.clock.advance(4 * MINUTE);
  return { unconfirmed, going: await going(gateway, '+15035550126') };
}

const DELIVERED: readonly (readonly [to: string, cents: number])[] = [
  ['+12065550108', 44],
  ['+15035550142', 6],
  ['+15035550133', 24],
  ['+13605550151', 7],
  ['+15035550173', 18],
  ['+15415550190', 6],
  ['+15415550155', 33],
  ['+15035550101', 12],
];

/** Every second fax is Mara's; the others come from the practice's own program. */
let count = 0;

async function submit(gateway: TestGateway, to: string, fields: Record<string, string> = {}): Promise<Fax> {
  count += 1;
  const form = new FormData();
  for (const [name, value] of Object.entries({ to, ...fields })) form.append(name, value);
  form.append('file', new File([await letterPdf()], 'letter.pdf', { type: 'application/pdf' }));
  const report = new File([await reportPdf()], 'lab-report-1118.pdf', { type: 'application/pdf' });
  if (count % 3 !== 0) form.append('file', report);
  const answer = await gateway.request('POST', '/fax', {
    form,
    ...(count % 2 ? {} : { key: null, headers: mara }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Fax;
}

async function going(gateway: TestGateway, to: string): Promise<Fax> {
  const { id } = await submit(gateway, to);
  await gateway.processAll();
  return gateway.fax(id);
}

type Outcome = Parameters<TestGateway['emulator']['complete']>[1];

async function end(gateway: TestGateway, fax: Fax, outcome: NonNullable<Outcome>): Promise<void> {
  gateway.clock.advance(MINUTE);
  const pages = outcome.errorId === undefined ? fax.document.pages : 0;
  gateway.emulator.complete(fax.provider_sid ?? '', { pages, ...outcome });
  await gateway.request('POST', `/fax/${fax.id}/refresh`);
}

/** Adds received faxes; the newest is still being fetched. */
export async function receiveFaxes(gateway: TestGateway): Promise<void> {
  const inbound = new InboundGateway(gateway);
  await gateway.set({ WORK_ACKNOWLEDGE_HOURS: 1 });
  for (const [index, from] of SENDERS.entries()) {
    const document = index % 2 ? await letterPdf() : await reportPdf();
    await inbound.notify(inbound.arrive({ from, to: '+15035550119', document }));
    await inbound.work();
    gateway.clock.advance(7 * MINUTE);
  }
}

/** Some of what came in is Mara's, and one of it is done. */
export async function beginWork(gateway: TestGateway): Promise<void> {
  const read = async <T>(path: string) => (await (await gateway.request('GET', path)).json()) as T;
  const { items } = await read<{ items: { id: string }[] }>('/work');
  const first = items[1]?.id ?? '';
  const { people } = await read<{ people: { id: string }[] }>(`/work/${first}/assignees`);
  const act = async (index: number, what: string, body: object) => {
    const answer = await gateway.request('POST', `/work/${items[index]?.id}/${what}`, { json: body });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  for (const index of [1, 2, 3]) await act(index, 'assign', { principal_id: people[0]?.id, version: 1 });
  await act(3, 'done', { version: 2, note: 'Filed in the chart' });
}

export const SENDERS = [
  '+12065550108',
  '+15035550142',
  '+13605550151',
  '+19715550138',
  '+15035550173',
  '+15415550190',
];
