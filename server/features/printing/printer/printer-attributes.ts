import { FAX_PRINTER_PATH } from '../../../../shared/printing.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { OPERATION } from '../../../platform/ipp/codes.ts';
import type { IppAttribute } from '../../../platform/ipp/message.ts';
import { attribute, dateTime } from '../../../platform/ipp/values.ts';
import { ANY_FORMAT, COMPRESSIONS, FORMATS } from '../receive.ts';
import { OPEN_SECONDS } from './job-table.ts';

/** Facts about the printer at one moment. */
interface PrinterFacts {
  /** `ipp://127.0.0.1:6310/ipp/print`, with the host of the request. */
  readonly uri: string;
  /** True for the printer that takes recipients. */
  readonly isFaxOut: boolean;
  readonly consoleUrl: string;
  readonly uuid: string;
  readonly name: string;
  /** Name under which it is found in the local network. */
  readonly announcedName: string;
  readonly organization: string;
  readonly release: string;
  readonly startedAt: number;
  readonly now: number;
  readonly maxBytes: number;
  readonly openJobs: number;
  readonly isBusy: boolean;
}

/** Sizes of paper in hundredths of a millimeter. */
const MEDIA = [
  { name: 'iso_a4_210x297mm', x: 21_000, y: 29_700 },
  { name: 'na_letter_8.5x11in', x: 21_590, y: 27_940 },
  { name: 'na_legal_8.5x14in', x: 21_590, y: 35_560 },
] as const;
const MARGIN = 423;
const PER_INCH = 3;
const RESOLUTION = { x: 300, y: 300, unit: PER_INCH } as const;
const PORTRAIT = [3, 4] as const;
/** Name by which computers show the printer. */
export const PRINTER_NAME = 'Faxdesk';
/** Name of the printer that takes recipients. */
export const FAX_PRINTER_NAME = 'Faxdesk Fax';
/** Make and model of the printer. */
export const MAKE = 'Faxdesk Fax Gateway';
/** Kinds of Apple raster that the printer accepts, as keywords. */
export const RASTER = ['V1.5', 'W8', 'CP99', 'RS300', 'MT1'] as const;
/** Parts of the device ID of IEEE 1284, by which drivers are found. */
export const DEVICE = { MFG: 'Faxdesk', MDL: 'Fax Gateway', CMD: 'PDF,PWGRaster,URF,JPEG' } as const;
const BITS = { none: 3, normal: 4 } as const;

/** Keywords that a job may have for these attributes; others are ignored and reported. */
export const SUPPORTED_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  media: MEDIA.map(({ name }) => name),
  sides: ['one-sided'],
  'output-bin': ['face-down'],
  'print-color-mode': ['monochrome', 'auto'],
  'print-content-optimize': ['auto', 'text', 'text-and-graphic', 'graphic', 'photo'],
  'print-rendering-intent': ['auto'],
  'multiple-document-handling': ['single-document'],
};

/** Names of the attributes that a job can have. */
export const JOB_ATTRIBUTES = [
  'copies',
  'finishings',
  'media',
  'media-col',
  'multiple-document-handling',
  'orientation-requested',
  'output-bin',
  'overrides',
  'page-ranges',
  'print-color-mode',
  'print-content-optimize',
  'print-quality',
  'print-rendering-intent',
  'printer-resolution',
  'sides',
] as const;

/** Attribute with the recipient of a job. */
export const DESTINATIONS = 'destination-uris';

/** Returns the UUID of the printer that takes recipients, which is the same for the same printer. */
export function faxOutUuid(uuid: string): string {
  const hex = sha256Hex(`${uuid} ${FAX_PRINTER_PATH}`);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(12, 15)}`,
    `8${hex.slice(15, 18)}`,
    hex.slice(18, 30),
  ].join('-');
}

function mediaCol({ x, y }: { readonly x: number; readonly y: number }): IppAttribute[] {
  return [
    attribute('media-size', 'collection', mediaSize({ x, y })),
    attribute('media-bottom-margin', 'integer', MARGIN),
    attribute('media-left-margin', 'integer', MARGIN),
    attribute('media-right-margin', 'integer', MARGIN),
    attribute('media-top-margin', 'integer', MARGIN),
    attribute('media-source', 'keyword', 'auto'),
    attribute('media-type', 'keyword', 'stationery'),
  ];
}

const mediaSize = ({ x, y }: { readonly x: number; readonly y: number }): IppAttribute[] => [
  attribute('x-dimension', 'integer', x),
  attribute('y-dimension', 'integer', y),
];

/** Returns the attributes of the group `job-template`: what a job can have, and what it has when it says nothing. */
export function templateAttributes(): IppAttribute[] {
  const names = MEDIA.map(({ name }) => name);
  const keywords = Object.entries(SUPPORTED_KEYWORDS).filter(([name]) => name !== 'media');
  return [
    ...keywords.flatMap(([name, values]) => [
      attribute(`${name}-default`, 'keyword', values[0] ?? ''),
      attribute(`${name}-supported`, 'keyword', ...values),
    ]),
    attribute('copies-default', 'integer', 1),
    attribute('copies-supported', 'range', { lower: 1, upper: 99 }),
    attribute('finishings-default', 'enum', BITS.none),
    attribute('finishings-supported', 'enum', BITS.none),
    attribute('media-default', 'keyword', MEDIA[0].name),
    attribute('media-supported', 'keyword', ...names),
    attribute('media-ready', 'keyword', ...names),
    attribute('media-col-default', 'collection', mediaCol(MEDIA[0])),
    attribute('media-col-ready', 'collection', ...MEDIA.map(mediaCol)),
    attribute('media-bottom-margin-supported', 'integer', MARGIN),
    attribute('media-left-margin-supported', 'integer', MARGIN),
    attribute('media-right-margin-supported', 'integer', MARGIN),
    attribute('media-top-margin-supported', 'integer', MARGIN),
    attribute('media-size-supported', 'collection', ...MEDIA.map(mediaSize)),
    attribute('media-source-supported', 'keyword', 'auto'),
    attribute('media-type-supported', 'keyword', 'stationery'),
    attribute(
      'media-col-supported',
      'keyword',
      'media-size',
      'media-bottom-margin',
      'media-left-margin',
      'media-right-margin',
      'media-top-margin',
      'media-source',
      'media-type',
    ),
    attribute('orientation-requested-default', 'enum', PORTRAIT[0]),
    attribute('orientation-requested-supported', 'enum', ...PORTRAIT),
    attribute('overrides-supported', 'keyword', 'document-number', 'pages'),
    attribute('page-ranges-supported', 'boolean', true),
    attribute('print-quality-default', 'enum', BITS.normal),
    attribute('print-quality-supported', 'enum', BITS.normal),
    attribute('printer-resolution-default', 'resolution', RESOLUTION),
    attribute('printer-resolution-supported', 'resolution', RESOLUTION),
  ];
}

/** Returns `media-col-database`, which only a request that names it gets. */
export const mediaDatabase = (): IppAttribute =>
  attribute('media-col-database', 'collection', ...MEDIA.map(mediaCol));

/** Returns the attributes of the group `printer-description`. */
export function descriptionAttributes(facts: PrinterFacts): IppAttribute[] {
  return [
    ...languageAttributes(),
    ...(facts.isFaxOut ? faxOutAttributes() : []),
    ...featureAttributes(facts),
    ...jobRuleAttributes(facts),
    ...identityAttributes(facts),
    ...stateAttributes(facts),
  ];
}

function languageAttributes(): IppAttribute[] {
  return [
    attribute('charset-configured', 'charset', 'utf-8'),
    attribute('charset-supported', 'charset', 'utf-8', 'us-ascii'),
    attribute('natural-language-configured', 'naturalLanguage', 'en'),
    attribute('generated-natural-language-supported', 'naturalLanguage', 'en'),
    attribute('ipp-versions-supported', 'keyword', '1.0', '1.1', '2.0'),
    attribute('operations-supported', 'enum', ...Object.values(OPERATION)),
    attribute('printer-get-attributes-supported', 'keyword', 'document-format'),
    attribute('which-jobs-supported', 'keyword', 'completed', 'not-completed', 'all'),
  ];
}

function featureAttributes({ isFaxOut }: PrinterFacts): IppAttribute[] {
  return [
    attribute('ipp-features-supported', 'keyword', 'ipp-everywhere', ...(isFaxOut ? ['faxout'] : [])),
    attribute(
      'job-creation-attributes-supported',
      'keyword',
      ...JOB_ATTRIBUTES,
      ...(isFaxOut ? [DESTINATIONS] : []),
      'document-name',
      'ipp-attribute-fidelity',
      'job-name',
    ),
  ];
}

/** A job has one recipient at most, and only by its number. */
function faxOutAttributes(): IppAttribute[] {
  return [
    attribute('destination-uri-schemes-supported', 'uriScheme', 'tel'),
    attribute(`${DESTINATIONS}-supported`, 'keyword', 'destination-uri'),
    attribute('multiple-destination-uris-supported', 'boolean', false),
  ];
}

function jobRuleAttributes({ maxBytes }: PrinterFacts): IppAttribute[] {
  return [
    attribute('compression-supported', 'keyword', ...COMPRESSIONS),
    attribute('document-format-default', 'mimeMediaType', ANY_FORMAT),
    attribute('document-format-preferred', 'mimeMediaType', 'application/pdf'),
    attribute('document-format-supported', 'mimeMediaType', ...FORMATS, ANY_FORMAT),
    attribute('document-password-supported', 'integer', 0),
    attribute('identify-actions-default', 'keyword', 'display'),
    attribute('identify-actions-supported', 'keyword', 'display'),
    attribute('job-ids-supported', 'boolean', true),
    attribute('job-k-octets-supported', 'range', { lower: 0, upper: Math.ceil(maxBytes / 1024) }),
    attribute('multiple-document-jobs-supported', 'boolean', false),
    attribute('multiple-operation-time-out', 'integer', OPEN_SECONDS),
    attribute('multiple-operation-time-out-action', 'keyword', 'abort-job'),
    attribute('pdl-override-supported', 'keyword', 'attempted'),
    attribute('preferred-attributes-supported', 'boolean', false),
    attribute('pwg-raster-document-resolution-supported', 'resolution', RESOLUTION),
    attribute('pwg-raster-document-sheet-back', 'keyword', 'normal'),
    attribute('pwg-raster-document-type-supported', 'keyword', 'sgray_8', 'black_1'),
    attribute('urf-supported', 'keyword', ...RASTER),
    attribute('color-supported', 'boolean', false),
    attribute('pages-per-minute', 'integer', 60),
  ];
}

function identityAttributes(facts: PrinterFacts): IppAttribute[] {
  const { uri, uuid, name, announcedName, consoleUrl, release } = facts;
  const icons = new URL('/icon.png', uri.replace(/^ipp/u, 'http')).href;
  const isSecure = uri.startsWith('ipps:');
  return [
    attribute('printer-uri-supported', 'uri', uri),
    attribute('uri-authentication-supported', 'keyword', isSecure ? 'basic' : 'requesting-user-name'),
    attribute('uri-security-supported', 'keyword', isSecure ? 'tls' : 'none'),
    attribute('printer-name', 'name', name),
    attribute('printer-info', 'text', name),
    attribute('printer-dns-sd-name', 'name', announcedName),
    attribute('printer-location', 'text', ''),
    { name: 'printer-geo-location', values: [{ kind: 'unknown', value: null }] },
    attribute('printer-make-and-model', 'text', MAKE),
    attribute(
      'printer-device-id',
      'text',
      `MFG:${DEVICE.MFG};MDL:${DEVICE.MDL};CMD:${DEVICE.CMD};CLS:PRINTER;`,
    ),
    attribute('printer-uuid', 'uri', `urn:uuid:${uuid}`),
    attribute('printer-more-info', 'uri', consoleUrl),
    attribute('printer-supply-info-uri', 'uri', consoleUrl),
    attribute('printer-icons', 'uri', icons),
    attribute('printer-organization', 'text', facts.organization),
    attribute('printer-organizational-unit', 'text', ''),
    attribute('printer-firmware-name', 'name', 'Faxdesk'),
    attribute('printer-firmware-string-version', 'text', release),
    attribute('printer-firmware-version', 'octetString', Buffer.from(release)),
    attribute('printer-supply', 'octetString', Buffer.from('type=other;maxcapacity=100;level=100;')),
    attribute('printer-supply-description', 'text', 'Faxdesk needs no supplies.'),
  ];
}

function stateAttributes({ startedAt, now, openJobs, isBusy }: PrinterFacts): IppAttribute[] {
  const upTime = Math.max(1, Math.floor((now - startedAt) / 1_000));
  return [
    attribute('printer-is-accepting-jobs', 'boolean', true),
    attribute('printer-state', 'enum', isBusy ? 4 : 3),
    attribute('printer-state-reasons', 'keyword', 'none'),
    attribute('printer-state-message', 'text', ''),
    attribute('printer-state-change-date-time', 'dateTime', dateTime(startedAt)),
    attribute('printer-state-change-time', 'integer', 1),
    attribute('printer-config-change-date-time', 'dateTime', dateTime(startedAt)),
    attribute('printer-config-change-time', 'integer', 1),
    attribute('printer-current-time', 'dateTime', dateTime(now)),
    attribute('printer-up-time', 'integer', upTime),
    attribute('queued-job-count', 'integer', openJobs),
  ];
}
