import type { z } from 'zod';
import type { Cover, coversRoutes } from '../../../shared/api/covers.ts';
import { BUILT_IN_COVERS } from '../../../shared/covers.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { type Caller, countMailboxesWithCover, coverOfMailbox } from '../access/service.ts';
import {
  type CoverPatch,
  changeCover,
  createCover,
  type NewCover,
  removeCover,
  replaceFile,
} from './changes.ts';
import { noSuchCover, refuseBadCover, unknownCover } from './errors.ts';
import { keptFile } from './kept-file.ts';
import type { CoversParts } from './parts.ts';
import { presentSummary, presentTemplate } from './present.ts';
import { listCovers } from './store.ts';
import { builtInTemplate, findTemplate } from './templates.ts';
import type { ComposedCover, CoveredFax, CoverRequest, Template } from './types.ts';
import { coverContent, coverValues, printedFields } from './values.ts';

type CoverAnswer = z.infer<typeof Cover>;
type PreviewBody = z.infer<typeof coversRoutes.previewCover.body>;
interface CoverRead {
  readonly id: string;
  readonly version: number;
}

/** Cover pages of faxes; for the rooms that send. Refusals are CoverRefusalError. */
export interface CoverPages {
  /**
   * Returns the cover page of a fax to an E.164 number: the one that is asked for, otherwise that of the contact, then that
   * of the mailbox, then that of the caller (null for a sender who is not known); null for none. Throws a 400 refusal for one
   * that does not exist, or for values without a page.
   */
  choose(
    caller: Caller | null,
    request: CoverRequest,
    fax: { readonly contactCover: string | null; readonly mailboxId: string | null },
  ): Promise<Template | null>;
  /**
   * Composes a page with the values of a fax; `caller` is null for a sender who is not known. Throws a 400 refusal for
   * what cannot be printed.
   */
  compose(
    caller: Caller | null,
    template: Template,
    fax: CoveredFax,
    fields: CoverRequest['fields'],
  ): Promise<ComposedCover>;
}

/** The service of the room. */
export interface CoversService extends CoverPages {
  /** Lists all, with the one of a fax to this number (as typed) for this mailbox. */
  list(
    caller: Caller,
    fax: { to?: string | undefined; mailbox?: string | undefined },
  ): Promise<{ items: CoverAnswer[]; default_id: string | null }>;
  get(id: string): Promise<CoverAnswer & { used_by: { contacts: number; mailboxes: number } }>;
  /** Returns a PNG. */
  preview(caller: Caller, body: PreviewBody): Promise<Uint8Array>;
  create(caller: Caller, fields: NewCover): Promise<CoverAnswer>;
  change(caller: Caller, read: CoverRead, fields: CoverPatch): Promise<CoverAnswer>;
  replaceFile(caller: Caller, read: CoverRead, file: Uint8Array): Promise<CoverAnswer>;
  remove(caller: Caller, read: CoverRead): Promise<void>;
}

export function createCoversService(parts: CoversParts): CoversService {
  const { db, contacts, settings } = parts;
  const pages = createCoverPages(parts);
  const present = async (id: string) => {
    const template = await findTemplate(db.read, id);
    if (template === null) throw noSuchCover();
    return presentTemplate(template);
  };
  return {
    ...pages,
    async list(caller, { to, mailbox = null }) {
      const number = to === undefined ? null : requestedNumber(to, settings.country());
      const preferences = number === null ? null : await contacts.preferencesFor(number);
      const fax = { contactCover: preferences?.coverId ?? null, mailboxId: mailbox };
      const usual = await pages.choose(caller, { id: null, fields: {} }, fax);
      const builtIn = BUILT_IN_COVERS.flatMap(({ id }) => builtInTemplate(id) ?? []);
      const own = (await listCovers(db.read)).map(presentSummary);
      return { items: [...builtIn.map(presentTemplate), ...own], default_id: usual?.id ?? null };
    },
    async get(id) {
      const cover = await present(id);
      const [ofContacts, ofMailboxes] = [
        await contacts.countWithCover(id),
        await countMailboxesWithCover(db.read, id),
      ];
      return { ...cover, used_by: { contacts: ofContacts, mailboxes: ofMailboxes } };
    },
    preview: (caller, body) => preview(parts, caller, body),
    create: async (caller, fields) => present(await createCover(parts, caller, fields)),
    async change(caller, read, fields) {
      await changeCover(parts, caller, read, fields);
      return present(read.id);
    },
    async replaceFile(caller, read, file) {
      await replaceFile(parts, caller, read, file);
      return present(read.id);
    },
    remove: (caller, read) => removeCover(parts, caller, read),
  };
}

function createCoverPages(parts: CoversParts): CoverPages {
  const { db, desk, documents, settings } = parts;
  const find = async (id: string | null) => (id === null ? null : findTemplate(db.read, id));
  return {
    async choose(caller, { id, fields }, { contactCover, mailboxId }) {
      if (id !== null) {
        const named = await findTemplate(db.read, id);
        if (named === null) throw unknownCover();
        return named;
      }
      const template =
        (await find(contactCover)) ??
        (await find(mailboxId && (await coverOfMailbox(db.read, mailboxId)))) ??
        (await find(caller && (await desk.defaultsOf(caller)).coverId));
      if (template === null && Object.keys(fields).length > 0) throw unknownCover();
      return template;
    },
    async compose(caller, template, fax, fields) {
      const values = await coverValues(parts, caller, fax, fields);
      const content = coverContent(template, values, settings.referenceLabel());
      const pdf = await refuseBadCover(
        (caller ? documents.for(caller.principal.id) : documents).cover(content),
      );
      const { id, name } = template;
      return { pdf, printed: { id, name, fields: printedFields(template, values) } };
    },
  };
}

async function preview(parts: CoversParts, caller: Caller, body: PreviewBody): Promise<Uint8Array> {
  const { documents, settings } = parts;
  const template = await previewedTemplate(parts, caller, body);
  const mailboxId = body.mailbox ?? null;
  const fax = {
    to: body.to?.trim() ?? '',
    toName: body.to_name,
    mailboxId,
    pages: body.pages,
    subject: body.subject ?? null,
    reference: body.reference ?? null,
  };
  const values = await coverValues(parts, caller, fax, body.cover_fields);
  const content = coverContent(template, values, settings.referenceLabel());
  return refuseBadCover(documents.for(caller.principal.id).cover(content, 'png'));
}

async function previewedTemplate(
  parts: CoversParts,
  caller: Caller,
  { cover, design }: PreviewBody,
): Promise<Pick<Template, 'title' | 'fields' | 'text' | 'notice' | 'logo' | 'pdf'>> {
  const { db } = parts;
  if (design) {
    const { logo_of: logoOf, logo: given, ...drawn } = design;
    if (given !== undefined) return { ...drawn, logo: await logoOfPreview(parts, caller, given), pdf: null };
    const logo = logoOf === undefined ? null : ((await findTemplate(db.read, logoOf))?.logo ?? null);
    return { ...drawn, logo, pdf: null };
  }
  const template = await findTemplate(db.read, cover ?? BUILT_IN_COVERS[0]!.id);
  if (template === null) throw unknownCover();
  return template;
}

async function logoOfPreview(parts: CoversParts, caller: Caller, base64: string): Promise<Uint8Array> {
  return (await keptFile(parts, caller, 'logo', Buffer.from(base64, 'base64'))).file;
}
