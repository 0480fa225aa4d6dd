import type { Work } from './growth.ts';

export const KB = 1024;
/** Of a request, read before anything of it is checked. */
export const JSON_BYTES = 256 * KB;
/** All headers of a request together. */
export const HEAD_BYTES = 16 * KB;
/** An answer of a provider. */
export const ANSWER_BYTES = 256 * KB;

/** The text that is repeated up to the size. */
export const fill = (piece: string, size: number) =>
  piece.repeat(Math.max(1, Math.floor(size / piece.length)));
/** A byte for each character. */
export const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** The same signs on both sides. */
export const nested = (open: string, close: string, size: number) => {
  const depth = Math.floor(size / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
};

/** Makes the input of a size before it is measured. */
export type Attack = readonly [hostile: string, work: (size: number) => Work];
/** Something of the product that takes what others wrote: its largest input, and inputs of that size that are made to take long. */
export interface Reader {
  /** Bytes or characters. */
  readonly most: number;
  /** The place of its work: beside the others, who wait meanwhile, or in a thread, process or command of its own. */
  readonly where: 'loop' | 'apart';
  readonly attacks: readonly Attack[];
}

/** The attack on a reader of texts. */
export const over =
  (make: (size: number) => string, read: (text: string) => unknown) =>
  (size: number): Work => {
    const text = make(size);
    return () => read(text);
  };

/** The bytes of a text, each for itself. */
export const oneByte = (text: string) => {
  const bytes = latin1(text);
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
};
