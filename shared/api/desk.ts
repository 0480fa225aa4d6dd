import { z } from 'zod';
import { DESK_LIMITS } from '../desk.ts';
import { TOUR_STATES, TOUR_STEPS } from '../desk-tour.ts';
import { LIMITS } from '../limits.ts';
import { PICTURE_KINDS } from '../page-edits.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { Done, FormFlag, Id, IdParams, OptionalTime, Time } from './values.ts';

const room = 'desk';
const badBody = 'sentence';

const Line = (most: number) => z.string().trim().min(1).max(most).regex(VISIBLE_LINE, VISIBLE_RULE);
const HEADER_NAME_RULE = `must be 1 to ${LIMITS.headerTextLength} characters on one line`;
const DraftName = Line(DESK_LIMITS.draftName).describe('name by which the person finds it');
const Version = z.int().min(0).max(2_147_483_647);

const DeskDraft = z
  .strictObject({
    id: Id,
    name: DraftName,
    template: z.boolean().describe('true if it stays when a fax is made of it'),
    documents: z.int().min(0).describe('number of documents'),
    size_bytes: z.int().min(0).describe('size of its documents'),
    saved_at: Time,
  })
  .meta({ id: 'DeskDraft' });

const DeskDraftContent = DeskDraft.extend({
  content: z.string().describe('text that the caller saved'),
  files: z
    .array(
      z.strictObject({
        number: z.int().min(1).describe('its place, from 1'),
        sha256: z.string().describe('SHA-256, lowercase hex'),
        size_bytes: z.int().min(0).describe('size'),
      }),
    )
    .describe('documents in order'),
}).meta({ id: 'DeskDraftContent' });

const DeskPhrase = z
  .strictObject({
    id: Id,
    title: Line(DESK_LIMITS.phraseTitle).describe('words that the list shows'),
    text: z
      .string()
      .min(1)
      .max(DESK_LIMITS.phraseText)
      .regex(VISIBLE_TEXT, VISIBLE_RULE)
      .describe('its text'),
  })
  .meta({ id: 'DeskPhrase' });
const PhraseWords = DeskPhrase.omit({ id: true }).meta({ id: 'DeskPhraseWords' });

const PictureName = Line(DESK_LIMITS.pictureName).describe('name by which the person finds it');
const PictureKind = z.enum(PICTURE_KINDS);

const DeskSignature = z
  .strictObject({
    id: Id,
    kind: PictureKind,
    name: PictureName,
    width: z.int().min(1).describe('pixels'),
    height: z.int().min(1).describe('pixels'),
    added_at: Time,
  })
  .meta({ id: 'DeskSignature' });

const Defaults = z.strictObject({
  mailbox_id: Id.nullable().describe('mailbox that new faxes are sent for; null for none'),
  cover_id: Id.nullable().describe(
    'cover page of new faxes where neither the contact nor the mailbox has one; null for none',
  ),
  signature: z
    .string()
    .max(DESK_LIMITS.signature)
    .regex(VISIBLE_TEXT, VISIBLE_RULE)
    .nullable()
    .describe('sender on cover pages, in place of the name; null for the name'),
  header_name: z
    .string(HEADER_NAME_RULE)
    .trim()
    .min(1, HEADER_NAME_RULE)
    .max(LIMITS.headerTextLength, HEADER_NAME_RULE)
    .regex(VISIBLE_LINE, HEADER_NAME_RULE)
    .nullable()
    .describe(
      'name in the header line of faxes, in place of the organization; number, time and page stay. Null for the organization',
    ),
});
const DeskDefaults = Defaults.extend({
  header_name_allowed: z
    .boolean()
    .describe(
      'false if header_name is not used: the setting HEADER_PER_PERSON is off, or the caller is a program',
    ),
  version: Version.describe('0 before the first change'),
  updated_at: OptionalTime,
}).meta({ id: 'DeskDefaults' });

export const DeskTour = z
  .strictObject({
    state: z.enum(TOUR_STATES).describe('`none`: it was neither offered nor begun'),
    step: z.enum(TOUR_STEPS).nullable().describe('step at which the caller is; null unless `begun`'),
  })
  .meta({ id: 'DeskTour' });

export const DeskTourWrite = z
  .strictObject({
    state: z.enum(TOUR_STATES).exclude(['none']),
    step: z.enum(TOUR_STEPS).nullish().describe('step at which the caller is now; used with `begun` only'),
  })
  .meta({ id: 'DeskTourWrite' });

const DraftFileParams = IdParams.extend({ number: z.coerce.number().int().min(1).max(LIMITS.filesPerFax) });

/** Drafts, phrases, signatures, stamps and defaults of the caller alone. */
export const deskRoutes = {
  getDefaults: defineRoute({
    id: 'getDeskDefaults',
    room,
    method: 'GET',
    path: '/desk/defaults',
    summary: 'Get what new faxes of the caller begin with',
    access: 'signed-in',
    answer: { status: 200, schema: DeskDefaults },
  }),
  setDefaults: defineRoute({
    id: 'setDeskDefaults',
    room,
    method: 'PUT',
    path: '/desk/defaults',
    summary: 'Change what new faxes of the caller begin with',
    access: 'signed-in',
    badBody,
    body: Defaults.extend({ version: Version.describe('version that was read last') }).meta({
      id: 'DeskDefaultsWrite',
    }),
    answer: { status: 200, schema: DeskDefaults },
    refusals: ['stale', 'header_name_refused'],
  }),
  getTour: defineRoute({
    id: 'getDeskTour',
    room,
    method: 'GET',
    path: '/desk/tour',
    summary: 'Get how far the caller is in the tour of the console',
    access: 'signed-in',
    answer: { status: 200, schema: DeskTour },
  }),
  setTour: defineRoute({
    id: 'setDeskTour',
    room,
    method: 'PUT',
    path: '/desk/tour',
    summary: 'Record how far the caller is in the tour of the console',
    description:
      '`offered` changes nothing for a caller to whom the tour was offered, or who began or ended it.',
    access: 'signed-in',
    badBody,
    body: DeskTourWrite,
    answer: { status: 200, schema: DeskTour },
  }),
  listPhrases: defineRoute({
    id: 'listDeskPhrases',
    room,
    method: 'GET',
    path: '/desk/phrases',
    summary: 'List the phrases of the caller by title',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(DeskPhrase) }).meta({ id: 'DeskPhraseList' }),
    },
  }),
  createPhrase: defineRoute({
    id: 'createDeskPhrase',
    room,
    method: 'POST',
    path: '/desk/phrases',
    summary: 'Save a phrase',
    access: 'signed-in',
    badBody,
    body: PhraseWords,
    answer: { status: 200, schema: DeskPhrase },
    refusals: ['too_many_phrases'],
  }),
  changePhrase: defineRoute({
    id: 'changeDeskPhrase',
    room,
    method: 'PUT',
    path: '/desk/phrases/:id',
    summary: 'Change a phrase',
    access: 'signed-in',
    badBody,
    params: IdParams,
    body: PhraseWords,
    answer: { status: 200, schema: DeskPhrase },
    refusals: ['no_such_phrase'],
  }),
  removePhrase: defineRoute({
    id: 'removeDeskPhrase',
    room,
    method: 'DELETE',
    path: '/desk/phrases/:id',
    summary: 'Remove a phrase',
    access: 'signed-in',
    params: IdParams,
    answer: { status: 200, schema: Done },
    refusals: ['no_such_phrase'],
  }),
  listSignatures: defineRoute({
    id: 'listDeskSignatures',
    room,
    method: 'GET',
    path: '/desk/signatures',
    summary: 'List the signatures and stamps of the caller, oldest first',
    description: 'A program without a person has none.',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(DeskSignature) }).meta({ id: 'DeskSignatureList' }),
    },
  }),
  addSignature: defineRoute({
    id: 'addDeskSignature',
    room,
    method: 'POST',
    path: '/desk/signatures',
    summary: 'Add a signature or stamp',
    description:
      'Dark ink on a light or transparent ground. The ground is removed and the picture is cut to the ink. It is stored encrypted, and only the same person can put it on a page.',
    access: 'signed-in',
    form: {
      fields: z.strictObject({ name: PictureName, kind: PictureKind.default('signature') }),
      files: { file: { description: 'PNG or JPEG', required: true, repeated: false } },
    },
    answer: { status: 200, schema: DeskSignature },
    refusals: ['signature_refused', 'too_many_signatures', 'signatures_of_people'],
  }),
  getSignaturePicture: defineRoute({
    id: 'getDeskSignaturePicture',
    room,
    method: 'GET',
    path: '/desk/signatures/:id/picture',
    summary: 'Get the picture of a signature or stamp',
    access: 'signed-in',
    params: IdParams,
    answer: { status: 200, contentType: 'image/png' },
    refusals: ['no_such_signature'],
  }),
  removeSignature: defineRoute({
    id: 'removeDeskSignature',
    room,
    method: 'DELETE',
    path: '/desk/signatures/:id',
    summary: 'Remove a signature or stamp; faxes that have it keep it',
    access: 'signed-in',
    params: IdParams,
    answer: { status: 200, schema: Done },
    refusals: ['no_such_signature'],
  }),
  listDrafts: defineRoute({
    id: 'listDeskDrafts',
    room,
    method: 'GET',
    path: '/desk/drafts',
    summary: 'List the saved drafts of the caller, newest first',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(DeskDraft) }).meta({ id: 'DeskDraftList' }),
    },
  }),
  saveDraft: defineRoute({
    id: 'writeDeskDraft',
    room,
    method: 'PUT',
    path: '/desk/drafts/:id',
    summary: 'Save a draft with its documents',
    description:
      'The caller chooses the id: 32 hex digits. The same id replaces the draft. Nothing is sent. Text and documents are stored encrypted, and only the same person can read them.',
    access: 'signed-in',
    params: z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/u) }),
    form: {
      fields: z.strictObject({
        name: DraftName,
        content: z
          .string()
          .max(DESK_LIMITS.draftContent)
          .describe('text, such as JSON, that is returned as it is'),
        template: FormFlag.default(false).describe('true if it stays when a fax is made of it'),
      }),
      files: {
        file: { description: 'documents in order, as they are', required: false, repeated: true },
      },
    },
    answer: { status: 200, schema: DeskDraft },
    refusals: ['too_many_drafts', 'drafts_too_large', 'disk_full'],
  }),
  getDraft: defineRoute({
    id: 'getDeskDraft',
    room,
    method: 'GET',
    path: '/desk/drafts/:id',
    summary: 'Get a saved draft',
    access: 'signed-in',
    params: IdParams,
    answer: { status: 200, schema: DeskDraftContent },
    refusals: ['no_such_draft'],
  }),
  getDraftFile: defineRoute({
    id: 'getDeskDraftFile',
    room,
    method: 'GET',
    path: '/desk/drafts/:id/files/:number',
    summary: 'Get a document of a saved draft',
    access: 'signed-in',
    params: DraftFileParams,
    answer: { status: 200, contentType: 'application/octet-stream' },
    refusals: ['no_such_draft'],
  }),
  renameDraft: defineRoute({
    id: 'changeDeskDraft',
    room,
    method: 'POST',
    path: '/desk/drafts/:id/name',
    summary: 'Rename a saved draft',
    access: 'signed-in',
    badBody,
    params: IdParams,
    body: z.strictObject({ name: DraftName }).meta({ id: 'DeskDraftRename' }),
    answer: { status: 200, schema: DeskDraft },
    refusals: ['no_such_draft'],
  }),
  removeDraft: defineRoute({
    id: 'removeDeskDraft',
    room,
    method: 'DELETE',
    path: '/desk/drafts/:id',
    summary: 'Remove a saved draft',
    access: 'signed-in',
    params: IdParams,
    answer: { status: 200, schema: Done },
    refusals: ['no_such_draft'],
  }),
} as const;
