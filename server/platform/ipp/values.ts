import type { IppAttribute, IppGroup, IppKind, IppMessage, IppValue, IppValues } from './message.ts';

/** Returns an attribute whose values have one syntax. */
export function attribute<K extends IppKind>(
  name: string,
  kind: K,
  ...values: readonly IppValues[K][]
): IppAttribute {
  return { name, values: values.map((value) => ({ kind, value }) as IppValue) };
}

/** Returns an attribute without a value. */
export const noValue = (name: string): IppAttribute => ({
  name,
  values: [{ kind: 'no-value', value: null }],
});

/** Returns the value of an attribute that has exactly one of this syntax, or null. */
export function soleValue<K extends IppKind>(
  attributes: readonly IppAttribute[],
  name: string,
  kind: K,
): IppValues[K] | null {
  const [value, second] = valuesOf(attributes, name);
  return value?.kind === kind && second === undefined ? (value.value as IppValues[K]) : null;
}

export function valuesOf(attributes: readonly IppAttribute[], name: string): readonly IppValue[] {
  return attributes.find((each) => each.name === name)?.values ?? [];
}

/** Returns the values of an attribute that are texts, of whichever syntax. */
export const textsOf = (attributes: readonly IppAttribute[], name: string): string[] =>
  valuesOf(attributes, name).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

/** Returns the attributes of the first group with this tag. */
export function groupOf({ groups }: Pick<IppMessage, 'groups'>, tag: number): IppGroup['attributes'] {
  return groups.find((group) => group.tag === tag)?.attributes ?? [];
}

/** Encodes a time, epoch milliseconds, as DateAndTime of RFC 2579, in UTC. */
export function dateTime(epochMs: number): Buffer {
  const time = new Date(epochMs);
  const bytes = Buffer.alloc(11);
  bytes.writeUInt16BE(time.getUTCFullYear(), 0);
  const parts = [
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
    Math.floor(time.getUTCMilliseconds() / 100),
  ];
  for (const [index, part] of parts.entries()) bytes.writeUInt8(part, 2 + index);
  bytes.write('+', 8, 'latin1');
  return bytes;
}
