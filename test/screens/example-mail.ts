import type { TestGateway } from '../setup/gateway.ts';
import { MailServer } from '../setup/mail-server.ts';

/** Shown in a picture, so that it stays the same. */
const PORT = 2525;

const CONNECTORS = [
  { name: 'Front desk', recipients: ['frontdesk@alderstreet.example', 'records@alderstreet.example'] },
  { name: 'After hours', recipients: ['oncall@alderstreet.example'], enabled: false },
];

/** Sends this many received faxes to the front desk by e-mail; delivery of the last one is uncertain. */
export async function sendByMail(
  gateway: TestGateway,
  faxes: number,
  receive: () => Promise<void>,
): Promise<void> {
  const server = new MailServer({});
  await server.listen(PORT);
  let messages = 0;
  server.onBegin = () => {
    messages += 1;
    // The test is the first one; the answer to the last fax never comes.
    if (messages > faxes) server.faults = { cut: 'after keeping' };
  };
  const base = { host: '127.0.0.1', port: PORT, security: 'none', from_address: 'fax@alderstreet.example' };
  const [first] = await Promise.all(
    CONNECTORS.map(async (connector) => {
      const answer = await gateway.request('POST', '/intake/connectors', { json: { ...base, ...connector } });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { id: string };
    }),
  );
  await gateway.request('POST', `/intake/connectors/${first?.id}/test`);
  await receive();
  const answer = await gateway.request('GET', '/intake/items?limit=1');
  const { items } = (await answer.json()) as { items: { state: string }[] };
  if (items[0]?.state !== 'uncertain') throw new Error('the newest e-mail needs no check');
  await server.close();
}
