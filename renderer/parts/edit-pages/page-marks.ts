import {
  type EditedPage,
  type FileEdits,
  type PageBox,
  type PageMark,
  PICTURE_KINDS,
  type PictureKind,
} from '../../../shared/page-edits.ts';

/** Kinds of things that a person puts on a page; `crop` is the part that is sent. */
export const TOOLS = ['redact', 'whiteout', 'text', 'tick', 'signature', 'stamp', 'crop'] as const;
export type Tool = (typeof TOOLS)[number];

/** True for a tool that puts a picture of the person on the page. */
export const isPictureTool = (tool: Tool): tool is PictureKind => PICTURE_KINDS.some((kind) => kind === tool);

/** A thing on a page with its place; `index` is that of its mark, null for the part that is sent. */
export type PageItem =
  | { readonly key: string; readonly index: number; readonly mark: PageMark }
  | { readonly key: 'crop'; readonly index: null; readonly box: PageBox };

/** Width of the paper of a fax in points. */
const PAPER_POINTS = (1728 * 72) / 204;
/** Most width and height of a picture that was just placed, in shares. */
const USUAL_PICTURE = { width: 0.3, height: 0.12 };
/** Least width and height of a box in shares. */
const LEAST = 0.004;

/** Returns everything that is on a page, in order. */
export function itemsOf({ marks, crop }: EditedPage): readonly PageItem[] {
  return [
    ...(crop === null ? [] : [{ key: 'crop', index: null, box: crop } as const]),
    ...marks.map((mark, index) => ({ key: `mark-${index}`, index, mark })),
  ];
}

export const keyOfMark = (index: number): string => `mark-${index}`;

/** Returns the pages with one of them changed. */
export function changePage(
  sent: FileEdits,
  page: number,
  change: (page: EditedPage) => EditedPage,
): FileEdits {
  return sent.map((one) => (one.page === page ? change(one) : one));
}

export const withMark = (page: EditedPage, mark: PageMark): EditedPage => ({
  ...page,
  marks: [...page.marks, mark],
});

/** Returns the page with an item at another place, or with another text. */
export function withItem(page: EditedPage, item: PageItem): EditedPage {
  if (item.index === null) return { ...page, crop: item.box };
  return { ...page, marks: page.marks.with(item.index, item.mark) };
}

export function withoutItem(page: EditedPage, { index }: Pick<PageItem, 'index'>): EditedPage {
  if (index === null) return { ...page, crop: null };
  return { ...page, marks: page.marks.toSpliced(index, 1) };
}

/** Returns a box inside the page, in steps that a person cannot see. */
export function withinPage({ x, y, width, height }: PageBox): PageBox {
  const [w, h] = [clamp(width, LEAST, 1), clamp(height, LEAST, 1)];
  return {
    x: rounded(clamp(x, 0, 1 - w)),
    y: rounded(clamp(y, 0, 1 - h)),
    width: rounded(w),
    height: rounded(h),
  };
}

/** Returns the box between two points. */
export function boxBetween(one: readonly [number, number], other: readonly [number, number]): PageBox {
  const [left, right] = [one[0], other[0]].map((x) => clamp(x, 0, 1)).toSorted((a, b) => a - b);
  const [top, bottom] = [one[1], other[1]].map((y) => clamp(y, 0, 1)).toSorted((a, b) => a - b);
  return withinPage({
    x: left ?? 0,
    y: top ?? 0,
    width: (right ?? 0) - (left ?? 0),
    height: (bottom ?? 0) - (top ?? 0),
  });
}

/** Returns a box of usual size for a tool around a point; `aspect` is the width of the page divided by its height. */
export function usualBox(
  tool: Exclude<Tool, 'text' | PictureKind>,
  [x, y]: readonly [number, number],
  aspect: number,
) {
  const [width, height] =
    tool === 'tick' ? [0.03, 0.03 * aspect] : tool === 'crop' ? [0.8, 0.5] : [0.3, 0.04];
  return withinPage({ x: x - width / 2, y: y - height / 2, width, height });
}

/** Returns a box of usual size for a picture around a point. */
export function pictureBox(
  picture: { readonly width: number; readonly height: number },
  [x, y]: readonly [number, number],
  aspect: number,
): PageBox {
  const share = (picture.height / picture.width) * aspect;
  const width = Math.min(USUAL_PICTURE.width, USUAL_PICTURE.height / share);
  const height = width * share;
  return withinPage({ x: x - width / 2, y: y - height / 2, width, height });
}

/**
 * Turns everything on a page by a quarter to the right, with the page. Texts, signatures and stamps stay upright, and pictures
 * as large as they are; `aspect` is the width of the page divided by its height before.
 */
export function turnItems(page: EditedPage, aspect: number): Pick<EditedPage, 'crop' | 'marks'> {
  const turned = ({ x, y, width, height }: PageBox) =>
    withinPage({ x: 1 - y - height, y: x, width: height, height: width });
  const moved = (box: PageBox) => {
    const [width, height] = [box.width * aspect, box.height / aspect];
    const [x, y] = [1 - box.y - box.height / 2, box.x + box.width / 2];
    return withinPage({ x: x - width / 2, y: y - height / 2, width, height });
  };
  return {
    crop: page.crop && turned(page.crop),
    marks: page.marks.map((mark) => {
      if (mark.kind === 'text')
        return { ...mark, x: rounded(clamp(1 - mark.y, 0, 0.95)), y: rounded(clamp(mark.x, 0, 0.97)) };
      return 'picture' in mark ? { ...mark, box: moved(mark.box) } : { ...mark, box: turned(mark.box) };
    }),
  };
}

/** Returns the size of a text on the whole page in shares of its width, for one of so many points. */
export function textShare(points: number, { crop }: Pick<EditedPage, 'crop'>): number {
  return (points / PAPER_POINTS) * (crop?.width ?? 1);
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
