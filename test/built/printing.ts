import { expect } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { untilAnswered } from '../setup/network-question.ts';
import { changeAccess, type Requester, signedIn } from './administration.ts';
import type { Capability } from './capability.ts';
import { completeAtVendor } from './complete-at-vendor.ts';
import { type Body, LETTER, type Office, waitFor, wholeAnswer } from './office.ts';

const TO = '+12025550139';
const NAME = 'Printed in the built gateway';

const PRINTERS = '_ipps._tcp.local';

export const PRINTING: readonly Capability[] = [
  {
    name: 'a document that a program printed is sent as a fax, and one printed over the network waits for its person',
    run: async (office) => {
      const sender = await addSender(office);
      const [port, networkPort] = [await freePort(), await freePort()];
      const changes = {
        PRINT_TO_FAX: 'network',
        PRINT_PORT: port,
        PRINT_NETWORK_PORT: networkPort,
        PRINT_NETWORK_HOST: '127.0.0.1',
        HTTPS_ANNOUNCED: true,
      };
      await office.requestJson('PUT', '/admin/settings', { json: { changes } });
      const { uri, network_uri } = await waitFor(async () => {
        const printer = await office.requestJson('GET', '/printer');
        if (printer.uri === null || printer.network_uri === null) throw new Error(String(printer.problem));
        return printer as { uri: string; network_uri: string };
      });
      expect(await printByIpp(uri, LETTER, { name: NAME })).toMatchObject({ state: JOB_STATE.completed });
      await sendPrinted(office);
      await untilAnswered(PRINTERS, (records) =>
        expect(records.some((record) => record.type === 'SRV' && record.data.port === networkPort)).toBe(
          true,
        ),
      );
      const remote = network_uri.replace(new URL(network_uri).hostname, '127.0.0.1');
      await expect(printByIpp(remote, LETTER, { name: NAME })).rejects.toThrow('401');
      const { login, password } = await sender('/printer/password', {});
      const headers = {
        Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
      };
      expect(await printByIpp(remote, LETTER, { name: NAME, headers })).toMatchObject({
        state: JOB_STATE.completed,
      });
      const answer = await wholeAnswer(await fetch(`${office.url}/printed`, { headers: sender.headers }));
      expect(await answer.json()).toMatchObject({ items: [{ name: NAME, pages: 1, mine: true }] });
    },
  },
];

/** Takes the document that waits, and sends it. */
async function sendPrinted(office: Office): Promise<void> {
  const waiting = async () =>
    ((await office.requestJson('GET', '/printed')).items as Body[]).filter(({ name }) => name === NAME);
  const [printed] = await waiting();
  await office.requestJson('POST', `/printed/${printed?.id}/take`);
  const pages = await office.bytes(`/printed/${printed?.id}/document`);
  const form = new FormData();
  form.append('to', TO);
  form.append('file', new File([new Uint8Array(pages)], 'printed.pdf'));
  form.append('printed', printed?.id);
  const fax = await office.requestJson('POST', '/fax', { form });
  expect(await waiting()).toEqual([]);
  await completeAtVendor(office, office.emulators.cloudone, fax.id);
}

/** Adds a person who can send faxes: where there is only one, whatever is printed is theirs. */
async function addSender(office: Office): Promise<Requester> {
  const { user, temporary_password } = await changeAccess(office, '/access/users', {
    login: 'pria',
    display_name: 'Pria',
  });
  const { role } = await changeAccess(office, '/access/roles', { name: 'Prints', permissions: ['fax:send'] });
  await changeAccess(office, '/access/assignments', {
    subject: { kind: 'principal', id: user.id, version: user.version },
    role: { id: role.id, version: role.version },
    resource_id: 'installation',
  });
  const pria = await signedIn(office.url, { login: 'pria', password: temporary_password });
  const password = 'seven copper lanterns hum';
  await pria('/auth/password', { current_password: temporary_password, password });
  return signedIn(office.url, { login: 'pria', password });
}
