import type { NotificationRequest } from '../receiving-port.ts';

/** Maximum size of a stored copy. */
const MAX_BYTES = 8 * 1024;
/** Texts are cut to the longest of these that lets the copy fit. */
const CUTS = [2000, 300, 60] as const;
/** Maximum number of entries of one object or list, and maximum depth; no provider sends as many. */
const MAX_ENTRIES = 100;
const MAX_DEPTH = 20;
const LEFT_OUT = 'left out';
const SECRET = /secret|token|passw|signature|authorization|credential|api_?key/iu;

/**
 * Returns a copy of a notification for the evidence, as JSON of at most 8 KB: no header is in it, and neither are
 * values that look like secrets, nor the contents of files.
 */
export function notificationCopy(request: NotificationRequest): string {
  for (const cut of CUTS) {
    const copy = JSON.stringify(copyOf(request, cut));
    if (Buffer.byteLength(copy) <= MAX_BYTES) return copy;
  }
  const { contentType, fields, files } = request;
  return JSON.stringify({
    content_type: contentType,
    cut: true,
    fields: fields.length,
    files: files.length,
  });
}

function copyOf(request: NotificationRequest, cut: number) {
  const isWhole = cut === CUTS[0];
  return {
    address: URL.parse(request.url)?.pathname ?? null,
    content_type: request.contentType,
    ...(isWhole ? {} : { cut: true }),
    ...(request.contentType === 'json'
      ? { body: harmless(request.json, cut) }
      : { fields: request.fields.map(([name, value]) => [name.slice(0, 100), fieldOf(name, value, cut)]) }),
    files: request.files.map(({ name, sizeBytes, sha1Hex }) => ({
      name: name.slice(0, 100),
      size_bytes: sizeBytes,
      sha1: sha1Hex,
    })),
  };
}

/** Copies the value of a field. It may hold JSON, to which the same rules apply. */
function fieldOf(name: string, value: string, cut: number): unknown {
  if (isHidden(name)) return LEFT_OUT;
  if (!/^\s*[[{]/u.test(value)) return textOf(value, cut);
  try {
    return harmless(JSON.parse(value), cut);
  } catch {
    return textOf(value, cut);
  }
}

function harmless(value: unknown, cut: number, depth = 0): unknown {
  if (typeof value === 'string') return textOf(value, cut);
  if (typeof value !== 'object' || value === null) return value;
  // A body can be nested deeper than any call may go.
  if (depth === MAX_DEPTH) return LEFT_OUT;
  if (Array.isArray(value))
    return value.slice(0, MAX_ENTRIES).map((entry) => harmless(entry, cut, depth + 1));
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, MAX_ENTRIES)
    .map(([name, entry]) => [
      name.slice(0, 100),
      isHidden(name) ? LEFT_OUT : harmless(entry, cut, depth + 1),
    ]);
  return Object.fromEntries(entries.length > MAX_ENTRIES ? [...shown, ['…', LEFT_OUT]] : shown);
}

const isHidden = (name: string) => SECRET.test(name) || name === 'file';

/** Cuts a text, without the user and password of addresses in it. */
function textOf(text: string, cut: number): string {
  const plain = text.replaceAll(/\/\/[^/\s@]*@/gu, '//***@');
  return plain.length > cut ? `${plain.slice(0, cut).toWellFormed()}…` : plain;
}
