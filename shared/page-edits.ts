/** Limits of the changes to the pages of one fax. */
export const EDIT_LIMITS = {
  /** Characters of the JSON text. */
  textLength: 400_000,
  pagesPerFile: 1000,
  marksPerPage: 100,
  marksPerFax: 2000,
  /** Signatures and stamps. */
  picturesPerFax: 500,
  /** Characters of one text on a page. */
  markTextLength: 1000,
  /** Size of a text on a page in points. */
  leastTextSize: 6,
  mostTextSize: 72,
} as const;

/** Degrees by which a page is turned clockwise. */
export const PAGE_TURNS = [0, 90, 180, 270] as const;
export type PageTurn = (typeof PAGE_TURNS)[number];

/** A part of the page in shares of its width and height, from its upper left corner. */
export interface PageBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Kinds of pictures of a person that are put on a page. */
export const PICTURE_KINDS = ['signature', 'stamp'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Something that is put on a page. */
export type PageMark =
  | { readonly kind: 'whiteout' | 'redact' | 'tick'; readonly box: PageBox }
  | {
      readonly kind: PictureKind;
      /** The picture lies in the middle of it, as large as it fits. */
      readonly box: PageBox;
      /** ID of a signature or stamp of the person who sends. */
      readonly picture: string;
    }
  | {
      readonly kind: 'text';
      /** Upper left corner in shares of the page. */
      readonly x: number;
      readonly y: number;
      /** In points. */
      readonly size: number;
      /** Lines, separated by line feeds. */
      readonly text: string;
    };

/** A page of a file as it is sent. Boxes are in shares of the page as it is turned, before it is cut. */
export interface EditedPage {
  /** Its number in the file, from 1. */
  readonly page: number;
  readonly turn: PageTurn;
  /** The part that is sent; null for the whole page. */
  readonly crop: PageBox | null;
  readonly marks: readonly PageMark[];
}

/** Pages of one file in the order in which they are sent; pages that are not named are left out. */
export type FileEdits = readonly EditedPage[];
/** One entry for each file, in order; null for a file that is sent as it is. */
export type PageEdits = readonly (FileEdits | null)[];

/** Counts of the changes of a fax. */
interface EditCounts {
  /** True if pages were sent in another order. */
  readonly moved: boolean;
  /** Pages. */
  readonly turned: number;
  readonly cropped: number;
  /** Places. */
  readonly redacted: number;
  readonly whited_out: number;
  readonly texts: number;
  readonly ticks: number;
  readonly signatures: number;
  readonly stamps: number;
}

/** Counts the changes of all files. */
export function countEdits(edits: PageEdits): EditCounts {
  const pages = edits.flatMap((file) => file ?? []);
  const marks = pages.flatMap((page) => page.marks);
  const ofKind = (kind: PageMark['kind']) => marks.filter((mark) => mark.kind === kind).length;
  return {
    moved: edits.some(
      (file) => file?.some(({ page }, i) => i > 0 && page < (file[i - 1]?.page ?? 0)) ?? false,
    ),
    turned: pages.filter(({ turn }) => turn !== 0).length,
    cropped: pages.filter(({ crop }) => crop !== null).length,
    redacted: ofKind('redact'),
    whited_out: ofKind('whiteout'),
    texts: ofKind('text'),
    ticks: ofKind('tick'),
    signatures: ofKind('signature'),
    stamps: ofKind('stamp'),
  };
}

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** Changes of a fax in numbers, with the name of the person whose signatures and stamps were put on its pages. */
interface DescribedEdits extends EditCounts {
  readonly left_out: number;
  readonly signed_by: string | null;
}

/** Lists the changes of a fax in words. */
export function describeEdits(edits: DescribedEdits): string {
  const of = edits.signed_by === null ? '' : ` of ${edits.signed_by}`;
  const list = [
    ...counted(edits.left_out, 'page left out', 'pages left out'),
    ...(edits.moved ? ['order changed'] : []),
    ...counted(edits.turned, 'page turned', 'pages turned'),
    ...counted(edits.cropped, 'page cut', 'pages cut'),
    ...counted(edits.redacted, 'place blacked out', 'places blacked out'),
    ...counted(edits.whited_out, 'place whited out', 'places whited out'),
    ...counted(edits.texts, 'text added', 'texts added'),
    ...counted(edits.ticks, 'check mark added', 'check marks added'),
    ...counted(edits.signatures, `signature${of} added`, `signatures${of} added`),
    ...counted(edits.stamps, `stamp${of} added`, `stamps${of} added`),
  ];
  return list.length === 0 ? 'drawn as printed' : list.join(', ');
}
