import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DocumentError } from '../../../documents/documents.ts';
import { fileDigest } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import { MAX_DOCUMENT_BYTES } from '../../inbound/service.ts';
import type { FilingOutcome, SourcedFax } from '../../inbound/types.ts';
import { badImage } from '../errors.ts';
import type { TelephonyParts } from '../parts.ts';
import { imageOf } from './engine-source.ts';
import { isUntouched, type OpenImage, openImage } from './image-file.ts';
import { identityOf } from './image-identity.ts';
import { removeNote } from './note.ts';
import { forgetImage } from './store.ts';

/**
 * Converts the image of a fax, files the document, and removes the image after the commit. For a fax that is filed
 * already, removes the image when it is the same document; records and sets aside another one. Throws refusals whose
 * sentence says what is wrong with the image, and errors of the disk as they are; then the image stays where it is.
 */
export async function takeImage(parts: TelephonyParts, fax: SourcedFax): Promise<'gone' | 'left'> {
  const imagePath = imageOf(fax);
  await using image = imagePath === null ? null : await openImage(parts.dataFolder, imagePath);
  if (image === null && fax.status !== 'received') throw badImage('The image of the fax is missing.');
  return image === null || imagePath === null || (await file(parts, { faxId: fax.id, imagePath }, image))
    ? 'gone'
    : 'left';
}

/** Returns true when the image was removed or set aside. */
async function file(
  parts: TelephonyParts,
  { faxId, imagePath }: { faxId: string; imagePath: string },
  image: OpenImage,
): Promise<boolean> {
  if (image.found.size > MAX_DOCUMENT_BYTES) throw badImage('The image of the fax is larger than 50 MB.');
  const copy = join(parts.workDirectory, newId());
  const pdf = join(parts.workDirectory, newId());
  try {
    const source = image.file.createReadStream({ start: 0, autoClose: false });
    await pipeline(source, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    const outcome = await convert(parts, faxId, { copy, pdf, image });
    if (!(await isUntouched(image))) return false;
    const identity = await identityOf(image);
    if (outcome === 'conflict') await setAside(parts, faxId, image, copy);
    else await rm(image.path);
    await removeNote(parts.dataFolder, imagePath);
    await parts.db.transaction((tx) => forgetImage(tx, identity));
    return true;
  } finally {
    await rm(copy, { force: true });
    await rm(pdf, { force: true });
  }
}

async function convert(
  parts: TelephonyParts,
  faxId: string,
  { copy, pdf, image }: { copy: string; pdf: string; image: OpenImage },
): Promise<FilingOutcome> {
  try {
    const source = { path: copy, fileName: basename(image.path), declaredType: 'image/tiff' };
    await parts.documents.prepare([source], pdf, { maxBytes: MAX_DOCUMENT_BYTES });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    // An image that cannot be converted has other content than the filed document.
    const another = await parts.inbound.recordAnotherDocument(faxId, await fileDigest(copy));
    if (another !== null) return another;
    throw badImage(`The image of the fax cannot be converted. ${error.publicMessage}`, error);
  }
  if (!(await isUntouched(image))) throw badImage('The image of the fax is still being written.');
  const text = 'The image of the telephone engine was converted, checked and stored.';
  return parts.inbound.keepDocument(faxId, pdf, text);
}

/** Renames an image so that it is ignored from now on; the same content has the same name. */
async function setAside(parts: TelephonyParts, faxId: string, image: OpenImage, copy: string): Promise<void> {
  const { sha256 } = await fileDigest(copy);
  const aside = `${image.path}.${sha256.slice(0, 12)}.conflict`;
  await rename(image.path, aside);
  parts.logger.warn(
    { fax_id: faxId, file: basename(aside) },
    'another image of a received fax was set aside',
  );
}
