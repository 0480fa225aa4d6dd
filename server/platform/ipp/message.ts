/** Values of IPP by their syntax (RFC 8010, 3.5.2). */
export interface IppValues {
  readonly integer: number;
  readonly enum: number;
  readonly boolean: boolean;
  readonly 'no-value': null;
  readonly unknown: null;
  readonly unsupported: null;
  readonly text: string;
  readonly name: string;
  readonly keyword: string;
  readonly uri: string;
  readonly uriScheme: string;
  readonly charset: string;
  readonly naturalLanguage: string;
  readonly mimeMediaType: string;
  readonly octetString: Buffer;
  readonly dateTime: Buffer;
  /** Of a syntax that no attribute of ours has. */
  readonly other: Buffer;
  readonly range: { readonly lower: number; readonly upper: number };
  /** `unit` is 3 for dots per inch, 4 for dots per centimeter. */
  readonly resolution: { readonly x: number; readonly y: number; readonly unit: number };
  readonly collection: readonly IppAttribute[];
}

export type IppKind = keyof IppValues;

export type IppValue = {
  readonly [K in IppKind]: { readonly kind: K; readonly value: IppValues[K] };
}[IppKind];

export interface IppAttribute {
  readonly name: string;
  readonly values: readonly IppValue[];
}

export interface IppGroup {
  readonly tag: number;
  readonly attributes: readonly IppAttribute[];
}

export interface IppMessage {
  readonly version: { readonly major: number; readonly minor: number };
  /** Operation of a request, status of an answer. */
  readonly code: number;
  readonly requestId: number;
  readonly groups: readonly IppGroup[];
}

/** Delimiters of groups. */
export const GROUP = { operation: 1, job: 2, end: 3, printer: 4, unsupported: 5 } as const;

/** Largest tag of a delimiter; values begin above it. */
export const LAST_DELIMITER = 0x0f;

export const TEXT_TAGS = {
  text: 0x41,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  uriScheme: 0x46,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
} as const;

export const TAGS = {
  unsupported: 0x10,
  unknown: 0x12,
  'no-value': 0x13,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  octetString: 0x30,
  dateTime: 0x31,
  resolution: 0x32,
  range: 0x33,
  collection: 0x34,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  endCollection: 0x37,
  memberName: 0x4a,
} as const;

/** Thrown when a message is not one of IPP, or larger than any honest one. */
export class IppFormatError extends Error {
  override name = 'IppFormatError';
}
