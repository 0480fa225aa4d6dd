import { expect } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { changeAccess, signedIn } from './administration.ts';
import type { Capability } from './capability.ts';
import { completeAtVendor } from './complete-at-vendor.ts';
import { type Body, LETTER, type Office, waitFor } from './office.ts';

const TO = '+12025550139';
const NAME = 'Printed in the built gateway';

export const PRINTING: readonly Capability[] = [
  {
    name: 'a document that a program printed is taken, sent as a fax and gone from the list',
    run: async (office) => {
      await addSender(office);
      const changes = { PRINT_TO_FAX: 'this_computer', PRINT_PORT: await freePort() };
      await office.requestJson('PUT', '/admin/settings', { json: { changes } });
      const uri = await waitFor(async () => {
        const printer = await office.requestJson('GET', '/printer');
        if (printer.uri === null) throw new Error(String(printer.problem));
        return printer.uri as string;
      });
      expect(await printByIpp(uri, LETTER, { name: NAME })).toMatchObject({ state: JOB_STATE.completed });
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
    },
  },
];

/** Adds a person who can send faxes: where there is only one, whatever is printed is theirs. */
async function addSender(office: Office): Promise<void> {
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
  await pria('/auth/password', {
    current_password: temporary_password,
    password: 'seven copper lanterns hum',
  });
}
