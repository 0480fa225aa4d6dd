import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { IntakeChannel } from '../../shared/credential-kinds.ts';
import { Assistant, WAYS } from '../api/assistant-setup.ts';
import { OWN_NUMBER } from '../endure/world/vendor.ts';
import { MAILBOX } from '../setup/dovecot.ts';
import { mail } from '../setup/signed-mail.ts';
import type { Capability } from './capability.ts';
import { completeAtVendor } from './complete-at-vendor.ts';
import { type Body, LETTER, type Office, waitFor } from './office.ts';
import { SENT_DIRECTLY } from './partners.ts';

/** Faxes to these numbers leave by the provider of the settings, by the other one, and over the phone line. */
const BY_CLOUDONE = '+12025550123';
const BY_CLOUDTWO = '+13035550123';
const BY_LINE = '+14045550123';
const FROM_MAIL = '+12025550131';
const FROM_FOLDER = '+12025550132';
const FROM_ASSISTANT = '+12025550133';

/** A fax by each intake channel. */
const BY_CHANNEL: Readonly<Record<IntakeChannel, Capability>> = {
  send_mailbox: {
    name: 'a signed message of the mailbox becomes a fax',
    run: async (office, context) => {
      const { dovecot, clinic, cloudone } = office.emulators;
      if (dovecot === null) return context.skip('not installed: dovecot');
      const { principal } = await integration(office, ['fax:send']);
      const json = { address: `ann@${clinic.name}`, principal_id: principal.id };
      await office.requestJson('POST', '/mail-to-fax/senders', { json });
      const message = await mail({
        from: json.address,
        to: MAILBOX,
        subject: FROM_MAIL,
        text: 'Please fax this.',
        messageId: `<${process.pid}.1@${clinic.name}>`,
        attachments: [{ filename: 'letter.pdf', content: LETTER }],
      });
      await dovecot.deliver(await clinic.sign(message));
      const taken = await waitFor(async () => {
        const [first] = (await office.requestJson('GET', '/mail-to-fax/messages')).items as Body[];
        if (first?.state === undefined || first.state === 'waiting')
          throw new Error(`${JSON.stringify(first)} ${office.gateway.printed()}`);
        return first;
      });
      expect(taken).toMatchObject({ state: 'accepted', sentence: null, to_number: FROM_MAIL });
      await completeAtVendor(office, cloudone, taken.fax_id);
      await waitFor(async () => expect(await dovecot.folders()).toEqual({ 'Faxdesk sent': 1 }));
    },
  },
  send_folder: {
    name: 'a file of the send folder becomes a fax',
    run: async (office) => {
      const { key_id } = await integration(office, ['fax:send']);
      const changes = { SEND_FOLDER: 'send', SEND_FOLDER_FOR: key_id };
      await office.requestJson('PUT', '/admin/settings', { json: { changes } });
      const folder = join(office.gateway.dataFolder, 'send');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `letter__${FROM_FOLDER}.pdf`), LETTER);
      const fax = await waitFor(async () => {
        const faxes = (await office.requestJson('GET', '/fax')).items as Body[];
        const found = faxes.find(({ to }) => to === FROM_FOLDER);
        if (!found) throw new Error(`in the folder: ${(await readdir(folder)).join(', ')}`);
        return found;
      });
      await completeAtVendor(office, office.emulators.cloudone, fax.id);
    },
  },
  assistant: {
    name: 'an assistant sends a fax over HTTP and by the command',
    run: async (office) => {
      const { token: key } = await integration(office, ['fax:send', 'fax:read']);
      for (const way of WAYS) {
        const options = { way, url: office.url, key, confirm: () => 'yes' as const };
        const assistant = await Assistant.connect(options);
        const sent = await assistant.facts('send_fax', {
          to: FROM_ASSISTANT,
          fileContent: LETTER.toString('base64'),
          operationId: `built-${way.transport}-${way.revision}`,
        });
        await completeAtVendor(office, office.emulators.cloudone, sent.fax.id);
        expect(await assistant.facts('get_fax_status', { id: sent.fax.id })).toMatchObject({
          sentence: expect.stringContaining('was delivered'),
        });
        await assistant.close();
      }
    },
  },
};

/** Sending by each transport, and acceptance by each channel. */
export const SENDING: readonly Capability[] = [
  {
    name: 'a fax leaves by cloudone, whose signed callback says that it arrived',
    run: async (office) => {
      await completeAtVendor(office, office.emulators.cloudone, await office.send(BY_CLOUDONE));
    },
  },
  {
    name: 'a fax leaves by cloudtwo on a route of its own',
    run: async (office) => {
      await route(office, { name: 'West', backend: 'cloudtwo', prefixes: ['+1303'] });
      const fax = await completeAtVendor(office, office.emulators.cloudtwo, await office.send(BY_CLOUDTWO));
      expect(fax).toMatchObject({ backend: 'cloudtwo', route: { name: 'West' } });
    },
  },
  {
    name: 'a fax leaves over the phone line, and the call is in its log',
    run: async (office) => {
      const { engine } = office.emulators;
      await route(office, { name: 'Line', backend: 'sip', prefixes: ['+1404'] });
      const id = await office.send(BY_LINE);
      const call = await waitFor(() => {
        const found = engine.calls.find(({ dialed }) => dialed.endsWith(BY_LINE.slice(1)));
        if (!found) throw new Error('nobody was called');
        return found;
      });
      engine.deliver(call.id);
      expect(await office.waitForDelivered(id)).toMatchObject({ backend: 'sip', attempt: { pages_sent: 1 } });
      const calls = (await office.requestJson('GET', '/telephony/calls')).items as Body[];
      expect(calls.filter(({ number }) => number === BY_LINE)).toHaveLength(1);
    },
  },
  {
    name: 'a fax to the own number comes in without a call',
    run: async (office) => {
      const sent = await office.waitForDelivered(await office.send(OWN_NUMBER));
      expect(sent.delivered_by).toBe('internal');
      await office.waitForReceived(({ id }) => id === sent.provider_sid);
    },
  },
  SENT_DIRECTLY,
  ...Object.values(BY_CHANNEL),
];

async function route(office: Office, json: object): Promise<void> {
  await office.requestJson('POST', '/routing/routes', { json });
}

/** A key of an integration of its own. */
async function integration(office: Office, scopes: readonly string[]): Promise<Body> {
  const made = await office.requestJson('POST', '/admin/api-keys', { json: { scopes, name: 'Integration' } });
  const { principal } = await office.requestJson('GET', '/auth/me', { key: made.token });
  return { ...made, principal };
}
