import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEALED_COLUMNS } from '../../server/db/sealed-columns.ts';

const SCHEMA = 'server/db/schema';
/** The row of the data key itself, which its replacement writes. */
const OF_THE_KEY = ['data_key_proof.proof', 'data_key_proof.next_proof', 'data_key_proof.hash_secret'];

/** Files that seal texts, each with the columns, or the files, in which they are kept. */
const SEALING: Readonly<Record<string, readonly string[]>> = {
  // Backups, and documents for partners, have keys of their own.
  'server/features/direct/deliveries/send-document.ts': [],
  'server/platform/age/encrypt.ts': [],
  'server/platform/age/header.ts': [],
  'server/platform/age/payload.ts': [],
  'server/adapters/audit/chain-end-file.ts': ['audit-log.end'],
  'server/adapters/certificates/own-authority.ts': ['https/root.sealed', 'https/server.sealed'],
  'server/composition/data-key-replacement.ts': ['data_key_proof.hash_secret'],
  'server/db/reseal-rows.ts': [],
  'server/features/access/answered-requests.ts': ['answered_request.answer'],
  'server/features/access/sign-in/two-factor.ts': ['principal.totp_secret', 'principal.totp_pending'],
  'server/features/audit/store/chain-store.ts': ['security_chain.sealed'],
  'server/features/contacts/shared-key.ts': ['contact.shared_key'],
  'server/features/desk/defaults.ts': ['desk_defaults.choices'],
  'server/features/desk/drafts.ts': ['desk_draft.name', 'desk_draft.content'],
  'server/features/desk/phrases.ts': ['desk_phrase.words'],
  'server/features/desk/signatures.ts': ['desk_signature.facts', 'desk_signature.picture'],
  'server/features/direct/key-pairs.ts': ['direct_identity.sealed', '.direct-identity.key'],
  'server/features/inbound/arriving/document-source.ts': ['inbound_fax.captured'],
  'server/features/inbound/store/evidence-store.ts': ['inbound_evidence.notification'],
  'server/features/intake/access-tokens.ts': ['intake_connector.oauth'],
  'server/features/intake/server-of.ts': ['intake_connector.password'],
  'server/features/mail-to-fax/replies/plan.ts': ['mail_reply.subject'],
  'server/features/outbound/plan/plan.ts': ['fax_job.plan'],
  'server/features/outbound/store/request-store.ts': ['fax_request.to_text'],
  'server/features/printing/keep-document.ts': [
    'printed_document.name',
    'printed_document.printed_by',
    'printed_document.to_number',
  ],
  'server/features/routing/route-account.ts': ['delivery_route.account'],
  'server/features/settings/stored-values.ts': ['setting.value', 'settings-recovery.json'],
  'server/features/signing/service.ts': ['signing_key.private_key'],
  'server/features/webhooks/secrets.ts': ['webhook_endpoint.secret', 'webhook_endpoint.former_secret'],
  'server/features/work/history.ts': ['work_item.history_end'],
  'server/platform/key-proof.ts': ['data_key_proof.proof', 'data_key_proof.next_proof'],
};

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);

test('rule (data-key): every place that seals a text is listed with the columns that a replacement of the data key seals anew', () => {
  const sealing = sourcesBelow('server').filter((path) => /\.seal\(/u.test(readFileSync(path, 'utf8')));
  const known = Object.keys(SEALING);
  expect(sealing.toSorted()).toEqual(known.toSorted());
  const columns = Object.values(SEALING)
    .flat()
    .filter((place) => /^\w+\.\w+$/u.test(place) && !place.includes('_proof.'));
  expect(
    columns.filter((place) => /^[a-z_]+\.[a-z_]+$/u.test(place) && !place.endsWith('.end')).toSorted(),
  ).toEqual(listed.toSorted());
});

/** Files that make keys of sealed files, or write such files, each with the folders of the data folder where those are. */
const FILE_SEALING: Readonly<Record<string, readonly string[]>> = {
  'server/adapters/storage/local.ts': ['files'],
  'server/adapters/storage/objects.ts': ['work'],
  'server/adapters/storage/rest-sealer.ts': ['files'],
  'server/composition/data-key-pass.ts': [],
  'server/composition/data-key.ts': [],
  'server/composition/dependencies.ts': ['work'],
  'server/composition/requests.ts': ['work'],
  // With keys of those who give it a file to write.
  'server/documents/document-files.ts': [],
  'server/documents/office/office-sources.ts': ['work'],
  'server/features/desk/drafts.ts': ['files'],
  'server/features/direct/room.ts': ['work'],
  // With a key that ends with the process.
  'server/features/inbound/reading/page-pictures.ts': ['work'],
  'server/features/outbound/preview/preview-files.ts': ['work'],
  'server/features/outbound/services/packets.ts': ['work'],
  'server/features/printing/room.ts': ['work'],
  'server/features/scanning/room.ts': ['work'],
  'server/http/upload-file.ts': ['work'],
  'server/platform/file-cipher.ts': [],
  'server/platform/sealed-file.ts': [],
};

test('rule (data-key): every place that seals files is listed with the folder in which a replacement of the data key seals their keys anew', () => {
  const sealing = sourcesBelow('server').filter((path) =>
    /\b(?:newKey|createFileSealer|createPieceSealer|sealBytes|sealStream|writeSealed)\(/u.test(
      readFileSync(path, 'utf8'),
    ),
  );
  const signatures = ['server/adapters/storage/port.ts'];
  expect(sealing.filter((path) => !signatures.includes(path)).toSorted()).toEqual(
    Object.keys(FILE_SEALING).toSorted(),
  );
  const pass = readFileSync('server/composition/data-key-pass.ts', 'utf8');
  const [, folders = ''] = /folders: \[([^\]]+)\]/u.exec(pass) ?? [];
  for (const folder of Object.values(FILE_SEALING).flat()) expect(folders).toContain(`'${folder}'`);
});

test('rule (data-key): a column that the schema calls sealed is sealed anew by a replacement of the data key', () => {
  const tables = new Map<string, string>();
  const found: string[] = [];
  for (const path of sourcesBelow(SCHEMA)) {
    const text = readFileSync(path, 'utf8');
    for (const [, table = '', type = ''] of text.matchAll(/^ {2}(\w+): (\w+Table);$/gmu))
      tables.set(type, table);
  }
  for (const path of sourcesBelow(SCHEMA)) {
    const text = readFileSync(path, 'utf8');
    for (const [, type = '', body = ''] of text.matchAll(/interface (\w+Table) \{\n([\s\S]*?)\n\}/gu))
      for (const [, column = ''] of body.matchAll(/\/\*\*[^/]*\bsealed\b[^/]*\*\/\n {2}(\w+):/giu))
        found.push(`${tables.get(type) ?? type}.${column}`);
  }
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter((column) => !listed.includes(column) && !OF_THE_KEY.includes(column))).toEqual([]);
});
