import { InboundDesk } from '../api/inbound-setup.ts';
import { MARA } from '../browser/console.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { letterPdf, reportPdf } from './documents.ts';

/** What Mara's browser sends with each request. */
type Credential = Readonly<Record<string, string>>;
let mara: Credential = {};

async function signInMara(desk: TestGateway): Promise<void> {
  const { login, password } = MARA;
  const origin = { Origin: desk.url };
  const entry = await desk.request('POST', '/auth/login', {
    key: null,
    json: { login, password },
    headers: origin,
  });
  const Cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const me = await desk.request('GET', '/auth/me', { key: null, headers: { Cookie } });
  const { csrf_token } = (await me.json()) as { csrf_token: string };
  mara = { ...origin, Cookie, 'X-CSRF-Token': csrf_token };
}

/** A morning at an invented clinic, as its Sent list tells it. */
export async function fillMorning(desk: TestGateway): Promise<{ doubtful: Fax; going: Fax }> {
  await signInMara(desk);
  for (const [to, cost] of DELIVERED) {
    await end(desk, await going(desk, to), { cost });
    desk.clock.advance(11 * MINUTE);
  }
  const line = { errorId: 17, errorType: 'lineError', errorMessage: 'The line was busy' };
  await end(desk, await going(desk, '+15035550101'), line);
  desk.clock.advance(4 * MINUTE);
  const { id, delivery_version } = await submit(desk, '+15035550168', {
    send_at: new Date(desk.clock.now() + 60 * MINUTE).toISOString(),
  });
  await desk.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } });
  desk.clock.advance(6 * MINUTE);
  await desk.set({ FAX_DISABLED: true });
  await submit(desk, '+14585550119');
  await desk.set({ FAX_DISABLED: false });
  desk.clock.advance(5 * MINUTE);
  const noon = new Date(desk.clock.now() + 150 * MINUTE);
  noon.setUTCHours(12, 0, 0, 0);
  await submit(desk, '+13605550147', { send_at: noon.toISOString() });
  desk.clock.advance(4 * MINUTE);
  desk.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const doubtful = await going(desk, '+19715550163');
  desk.clock.advance(4 * MINUTE);
  return { doubtful, going: await going(desk, '+15035550126') };
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

async function submit(desk: TestGateway, to: string, fields: Record<string, string> = {}): Promise<Fax> {
  count += 1;
  const form = new FormData();
  for (const [name, value] of Object.entries({ to, ...fields })) form.append(name, value);
  form.append('file', new File([await letterPdf()], 'letter.pdf', { type: 'application/pdf' }));
  const report = new File([await reportPdf()], 'lab-report-1118.pdf', { type: 'application/pdf' });
  if (count % 3 !== 0) form.append('file', report);
  const answer = await desk.request('POST', '/fax', {
    form,
    ...(count % 2 ? {} : { key: null, headers: mara }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Fax;
}

async function going(desk: TestGateway, to: string): Promise<Fax> {
  const { id } = await submit(desk, to);
  await desk.gateway.processAll();
  return desk.fax(id);
}

type Outcome = Parameters<TestGateway['emulator']['complete']>[1];

async function end(desk: TestGateway, fax: Fax, outcome: NonNullable<Outcome>): Promise<void> {
  desk.clock.advance(MINUTE);
  const pages = outcome.errorId === undefined ? fax.document.pages : 0;
  desk.emulator.complete(fax.provider_sid ?? '', { pages, ...outcome });
  await desk.request('POST', `/fax/${fax.id}/refresh`);
}

/** What came in meanwhile; the newest is still on its way. */
export async function receiveMorning(desk: TestGateway): Promise<void> {
  const room = new InboundDesk(desk);
  for (const [index, from] of SENDERS.entries()) {
    const document = index % 2 ? await letterPdf() : await reportPdf();
    await room.notify(room.arrive({ from, to: '+15035550119', document }));
    await room.work();
    desk.clock.advance(7 * MINUTE);
  }
}

const SENDERS = [
  '+12065550108',
  '+15035550142',
  '+13605550151',
  '+19715550138',
  '+15035550173',
  '+15415550190',
];
