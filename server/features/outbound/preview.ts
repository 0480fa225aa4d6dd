import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import type { DocumentSource, PreviewNote } from '../../documents/documents.ts';
import { newId } from '../../platform/ids.ts';
import { refusingBadDocuments } from './document-refusal.ts';
import { FaxRefusalError } from './errors.ts';
import { headerLine, headerText } from './header.ts';
import type { OutboundParts } from './parts.ts';

interface StoredPreview {
  readonly ownerId: string;
  readonly pages: number;
  readonly expiresAt: number;
}

export interface PreviewAnswer {
  readonly preview_id: string;
  readonly pages: number;
  readonly seconds: number;
  readonly cost: null;
  readonly notes: PreviewNote[];
}

/** Pages as the far machine prints them, kept for ten minutes for the person who asked. No job is recorded. */
export class Previews {
  readonly #parts: OutboundParts;
  readonly #directory: string;
  readonly #stored = new Map<string, StoredPreview>();

  constructor(parts: OutboundParts) {
    this.#parts = parts;
    this.#directory = join(parts.workDirectory, 'previews');
  }

  async make(
    sources: readonly DocumentSource[],
    options: { cleanGreys: boolean; ownerId: string },
  ): Promise<PreviewAnswer> {
    await this.sweep();
    const { documents, settings, clock } = this.#parts;
    const id = newId();
    const directory = join(this.#directory, id);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    try {
      const pdf = join(directory, 'document.pdf');
      const { cleanGreys, ownerId } = options;
      const limits = { maxBytes: settings.mostFileBytes() };
      await refusingBadDocuments(documents.prepare([...sources], pdf, limits));
      const drawing = { headerLine: this.#headerLine(), cleanGreys };
      const preview = await refusingBadDocuments(documents.preview(pdf, directory, drawing));
      await rm(pdf);
      const expiresAt = clock.now() + LIMITS.previewMinutes * 60_000;
      this.#stored.set(id, { ownerId, pages: preview.pages.length, expiresAt });
      const { seconds, notes } = preview;
      return { preview_id: id, pages: preview.pages.length, seconds: Math.round(seconds), cost: null, notes };
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** The picture of page `number` from 1. Throws a 404 refusal when it is gone or somebody else's. */
  async page(id: string, number: number, ownerId: string): Promise<Uint8Array> {
    const stored = this.#stored.get(id);
    const here = stored?.ownerId === ownerId && stored.expiresAt > this.#parts.clock.now();
    if (!stored || !here || number > stored.pages)
      throw new FaxRefusalError(404, 'That preview has expired.');
    return readFile(join(this.#directory, id, `page-${String(number).padStart(4, '0')}.png`));
  }

  /** Removes expired previews; those of before a restart went with the work folder. */
  async sweep(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const [id, stored] of this.#stored) {
      if (stored.expiresAt > now) continue;
      this.#stored.delete(id);
      await rm(join(this.#directory, id), { recursive: true, force: true });
    }
  }

  #headerLine(): string | null {
    const { settings, clock } = this.#parts;
    const organization = settings.organization();
    const number = settings.ownNumber();
    if (!organization || !number) return null;
    return headerLine(headerText(organization, number), clock.now(), settings.timeZone());
  }
}
