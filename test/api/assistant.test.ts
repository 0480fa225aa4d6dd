import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { Assistant, type AssistantOptions, WAYS, type Way } from './assistant-setup.ts';
import { addMailbox, keyOn } from './inbound-mailboxes.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

const LETTER = textPdf(1);
const HIDDEN = 'There is no such fax.';
const OUTSIDE = 'That file is not in a folder that the assistant may use.';
const DESK = [
  'fax:send',
  'fax:read',
  'inbound:list',
  'inbound:read',
  'inbound:document',
  'work:read',
  'contacts:read',
];
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const yes = () => 'yes' as const;

let inbound: InboundGateway;
let folder: string;
let made = 0;
beforeAll(async () => {
  inbound = await InboundGateway.start();
  folder = await mkdtemp(join(tmpdir(), 'assistant-'));
  addMailbox(inbound, { id: 'clinic', label: 'Clinic', number: '+12025550101' });
  await inbound.notify(inbound.arrive({ to: '+12025550155' }));
  await inbound.gateway.processAll();
});
afterAll(async () => {
  await inbound.close();
  await rm(folder, { recursive: true, force: true });
});

async function keyFor(scopes: readonly string[]): Promise<string> {
  made += 1;
  const answer = await inbound.gateway.request('POST', '/admin/api-keys', {
    json: { scopes, name: `Program ${made}` },
  });
  return ((await answer.json()) as { token: string }).token;
}

/** Connects for one test and disconnects after it. */
async function withAssistant(
  options: Omit<AssistantOptions, 'url' | 'key'> & { key?: string },
  work: (assistant: Assistant) => Promise<void>,
): Promise<void> {
  const key = options.key ?? (await keyFor(DESK));
  const assistant = await Assistant.connect({ ...options, url: inbound.gateway.url, key });
  try {
    await work(assistant);
  } finally {
    await assistant.close();
  }
}

/** A number of its own for each test. */
const number = (way: Way, place: number) => `+1202555${String(2000 + WAYS.indexOf(way) * 100 + place)}`;

async function faxesTo(to: string): Promise<{ id: string }[]> {
  const answer = await inbound.gateway.request('GET', `/fax?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { items: { id: string }[] }).items;
}

const ABOUT = { subject: 'Knee X-ray', reference: 'Patient 4711', document_type: 'Referral' };

describe.each(WAYS)('an assistant over $transport in revision $revision', (way) => {
  test('sees every tool with its annotations', async () => {
    await withAssistant({ way }, async ({ client }) => {
      const { tools } = await client.listTools();
      const facts = Object.fromEntries(
        tools.map(({ name, annotations, outputSchema }) => [
          name,
          [
            annotations?.readOnlyHint,
            annotations?.destructiveHint,
            annotations?.idempotentHint,
            !!outputSchema,
          ],
        ]),
      );
      expect(facts).toEqual({
        send_fax: [false, true, true, true],
        get_fax_status: [true, false, true, true],
        get_fax: [true, false, true, true],
        list_inbound: [true, false, true, true],
        get_inbound_pdf: [false, false, true, true],
        list_work: [true, false, true, true],
        acknowledge_work: [false, false, true, true],
        find_contact: [true, false, true, true],
      });
      const send = tools.find(({ name }) => name === 'send_fax');
      expect(Object.keys(send?.inputSchema.properties ?? {})).not.toContain('filePath');
    });
  });

  test('sends once a person has confirmed it, and follows the fax', async () => {
    const to = number(way, 1);
    const asked: string[] = [];
    const confirm = (question: string) => {
      asked.push(question);
      return 'yes' as const;
    };
    await withAssistant({ way, confirm }, async (assistant) => {
      const args = {
        to,
        fileContent: base64(LETTER),
        fileName: 'referral.pdf',
        operationId: `send-${to}`,
        ...ABOUT,
        cover: 'plain',
        coverFields: { note: 'As agreed' },
      };
      const sent = await assistant.facts('send_fax', args);
      expect(asked).toEqual([
        expect.stringMatching(/^Send referral\.pdf \(\d+ \S+\) to .+\? No fax was sent/u),
      ]);
      expect(sent).toMatchObject({
        fax: { to, delivery_state: 'ready', is_final: false, pages: 2, cover: 'Plain', ...ABOUT },
        repeated: false,
      });
      expect(sent.sentence).toContain('not delivered yet');
      const status = await assistant.facts('get_fax_status', { id: sent.fax.id });
      expect(status.fax.id).toBe(sent.fax.id);
      expect((await inbound.gateway.fax(sent.fax.id)).cover?.fields).toMatchObject({ note: 'As agreed' });
      const { history } = await assistant.facts('get_fax', { id: sent.fax.id });
      expect(history[0]).toMatchObject({
        actor: expect.stringMatching(/\(assistant desk-helper\)$/u),
        text: expect.stringContaining('An assistant sent it.'),
      });
    });
  });

  test.each(['no', 'dismiss'] as const)('sends nothing when the person answers %s', async (answer) => {
    const to = number(way, answer === 'no' ? 2 : 3);
    await withAssistant({ way, confirm: () => answer }, async (assistant) => {
      expect(await assistant.refusal('send_fax', { to, fileContent: base64(LETTER) })).toBe(
        'The fax was not sent: nobody confirmed it.',
      );
      expect(await faxesTo(to)).toEqual([]);
    });
  });

  test('sends one fax for two calls with one operationId, and for the same document without one', async () => {
    const to = number(way, 4);
    await withAssistant({ way, confirm: yes }, async (assistant) => {
      const args = { to, fileContent: base64(LETTER), operationId: `twice-${to}` };
      const [first, second] = await Promise.all([
        assistant.facts('send_fax', args),
        assistant.facts('send_fax', args),
      ]);
      expect(second.fax.id).toBe(first.fax.id);
      expect(first.repeated).not.toBe(second.repeated);
      const other = { ...args, fileContent: base64(textPdf(2)) };
      expect(await assistant.refusal('send_fax', other)).toContain('Idempotency-Key');
      expect(await faxesTo(to)).toHaveLength(1);
      const third = await assistant.facts('send_fax', { to, fileContent: base64(LETTER) });
      const fourth = await assistant.facts('send_fax', { to, fileContent: base64(LETTER) });
      expect(fourth).toMatchObject({ fax: { id: third.fax.id }, repeated: true });
      expect(await faxesTo(to)).toHaveLength(2);
    });
  });

  test('gets the sentence of the gateway for what its key may not do', async () => {
    await withAssistant({ way, key: await keyFor(['inbound:list']), confirm: yes }, async (assistant) => {
      const to = number(way, 5);
      expect(await assistant.refusal('send_fax', { to, fileContent: base64(LETTER) })).toMatch(/permission/u);
      for (const [tool, args] of [
        ['get_fax_status', { id: 'nothing' }],
        ['get_inbound_pdf', { id: 'nothing' }],
        ['list_work', {}],
        ['acknowledge_work', { id: 'nothing', version: 1 }],
        ['find_contact', { query: 'Smith' }],
      ] as const)
        expect(await assistant.refusal(tool, args)).toBe('You do not have permission to do that.');
      expect(await faxesTo(to)).toEqual([]);
    });
  });

  test('cannot tell a hidden fax from a missing one', async () => {
    const [hidden] = await inbound.list('?limit=1');
    const id = hidden?.id ?? '';
    const key = await keyOn(inbound, DESK.slice(2, 5), ['mailbox:clinic']);
    await withAssistant({ way, key }, async (assistant) => {
      const missing = await assistant.refusal('get_inbound_pdf', { id: 'missing' });
      expect(await assistant.refusal('get_inbound_pdf', { id })).toBe(missing);
      expect((await assistant.facts('list_inbound')).items).toEqual([]);
      await expect(assistant.client.readResource({ uri: `faxdesk://inbound/${id}/pdf` })).rejects.toThrow();
      expect((await assistant.client.listResources()).resources).toEqual([]);
    });
    await withAssistant({ way }, async (assistant) => {
      expect((await assistant.facts('list_inbound')).items).toMatchObject([{ id, unread: true }]);
      expect(await assistant.refusal('get_fax', { id })).toBe(HIDDEN);
    });
  });

  test('opens the document of a received fax as a tool result and as a resource', async () => {
    const [fax] = await inbound.list('?limit=1');
    const id = fax?.id ?? '';
    await withAssistant({ way }, async (assistant) => {
      const result = await assistant.call('get_inbound_pdf', { id });
      const { resource } = result.content.at(-1);
      expect(Buffer.from(resource.blob, 'base64').equals(ONE_PAGE)).toBe(true);
      const { resourceTemplates } = await assistant.client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: 'faxdesk://inbound/{id}/pdf' }]);
      const { resources } = await assistant.client.listResources();
      expect(resources).toMatchObject([{ uri: resource.uri, mimeType: 'application/pdf' }]);
      const { contents } = await assistant.client.readResource({ uri: resource.uri });
      expect(contents).toMatchObject([{ uri: resource.uri, blob: resource.blob }]);
    });
    const audit = await inbound.gateway.request('GET', '/access/audit?operation=document.downloaded');
    const { items } = (await audit.json()) as { items: { credential_kind: string }[] };
    expect(items.map(({ credential_kind }) => credential_kind)).toContain('assistant');
  });

  test('sends a document of 20 MB, and takes no address for a document', async () => {
    const to = number(way, 6);
    await withAssistant({ way, confirm: yes }, async (assistant) => {
      const document = await largePdf(20);
      const sent = await assistant.facts('send_fax', {
        to,
        fileContent: base64(document),
        fileName: 'large.pdf',
      });
      expect(sent.fax).toMatchObject({ to, file_name: 'large.pdf', pages: 1 });
      const fileContent = 'https://example.com/letter.pdf';
      expect(await assistant.refusal('send_fax', { to, fileContent })).toContain('Nothing is fetched');
    });
    expect(inbound.gateway.logLines.join('').includes(base64(LETTER).slice(200, 260))).toBe(false);
  });
});

describe.each(WAYS.filter(({ transport }) => transport === 'stdio'))(
  'a file that an assistant names over stdio in revision $revision',
  (way) => {
    test('is sent from an allowed folder, and from nowhere else', async () => {
      const allowed = join(folder, `allowed-${way.revision}`);
      const outside = join(folder, `outside-${way.revision}`);
      for (const path of [allowed, outside]) await mkdir(path);
      await writeFile(join(allowed, 'letter.pdf'), LETTER);
      await writeFile(join(outside, 'secret.pdf'), textPdf(2));
      await symlink(join(outside, 'secret.pdf'), join(allowed, 'link.pdf'));
      await symlink(outside, join(allowed, 'folder'));
      const to = number(way, 7);
      await withAssistant({ way, confirm: yes, folders: [allowed] }, async (assistant) => {
        const send = (filePath: string) => assistant.refusal('send_fax', { to, filePath });
        for (const path of [
          join(outside, 'secret.pdf'),
          join(allowed, '..', `outside-${way.revision}`, 'secret.pdf'),
          join(allowed, 'link.pdf'),
          join(allowed, 'folder', 'secret.pdf'),
          join(outside, 'missing.pdf'),
          allowed,
          '/dev/zero',
          '../secret.pdf',
        ])
          expect(await send(path), path).toBe(OUTSIDE);
        expect(await send('file:///etc/passwd')).toContain('not an address');
        expect(await assistant.refusal('send_fax', { to })).toContain('either as fileContent or as filePath');
        expect(await faxesTo(to)).toEqual([]);
        const sent = await assistant.facts('send_fax', { to, filePath: 'letter.pdf' });
        expect(sent.fax).toMatchObject({ to, file_name: 'letter.pdf' });
        expect(assistant.errors).toEqual([]);
      });
    });
  },
);

/** A PDF of one page and this many MB. */
async function largePdf(megabytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText('One page.');
  document.context.register(document.context.stream(randomBytes(megabytes * 1024 * 1024)));
  return await document.save();
}
