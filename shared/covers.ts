/** Fields of a cover page that Faxdesk fills in by itself, in their usual order. */
export const COVER_FIELDS = [
  'to',
  'attention',
  'from',
  'pages',
  'date',
  'subject',
  'reference',
  'note',
] as const;
export type CoverField = (typeof COVER_FIELDS)[number];

/** Name of a field: of the list above, or an own one of a template. */
export const COVER_FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/u;
/** Place of a value in the free text of a template, such as `{appointment}`. */
export const COVER_PLACE = /\{([a-z][a-z0-9_]{0,39})\}/gu;

/** Limits of cover pages: templates, texts in characters, files in bytes, fields with a fax, and the pixels of a kept logo. */
export const COVER_LIMITS = {
  templates: 100,
  title: 60,
  text: 2_000,
  value: 2_000,
  values: 30,
  fieldsText: 50_000,
  logoBytes: 400_000,
  pdfBytes: 600_000,
  logoPixels: { width: 800, height: 400 },
} as const;

/** Form field `cover` of a fax that is to have none, whatever its contact or mailbox is set to. */
export const NO_COVER = 'none';

/** A cover page that is drawn from its parts. */
export interface CoverDesign {
  /** Largest line. */
  readonly title: string;
  readonly fields: readonly CoverField[];
  /** Below the fields. Values replace their names in braces. */
  readonly text: string;
  /** Confidentiality notice at the foot of the page. */
  readonly notice: string;
}

interface BuiltInCover extends CoverDesign {
  readonly id: string;
  readonly name: string;
}

const NOTICE =
  'The pages of this fax are confidential and meant for the recipient named above alone. If they reached you by mistake, please call the sender, do not read, copy or pass them on, and destroy them.';

/** The cover pages of every installation. */
export const BUILT_IN_COVERS: readonly BuiltInCover[] = [
  { id: 'plain', name: 'Plain', title: 'Fax', fields: COVER_FIELDS, text: '', notice: '' },
  { id: 'confidential', name: 'Confidential', title: 'Fax', fields: COVER_FIELDS, text: '', notice: NOTICE },
  {
    id: 'short',
    name: 'Short',
    title: 'Fax',
    fields: ['to', 'from', 'pages', 'note'],
    text: '',
    notice: '',
  },
];
