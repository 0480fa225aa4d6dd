import type { z } from 'zod';
import type { AccessResource } from '../../../shared/api/access-values.ts';
import { INSTALLATION, LEGACY } from '../../../shared/permissions.ts';
import {
  documentOfResource,
  documentResource,
  mailboxOfResource,
  mailboxResource,
} from '../../../shared/resources.ts';
import type { ReadDb } from '../../db/database.ts';
import type { DocumentNames } from './port.ts';
import { mailboxLabels } from './store/mailboxes.ts';

export type Resource = z.infer<typeof AccessResource>;

/** A resource on which roles can be given, and the wider one that covers it beside the installation. */
export interface FoundResource {
  readonly resource: Resource;
  readonly within: string | null;
}

/** Resources on which roles can be given. All of it works inside a transaction. */
export interface Resources {
  /** Null for one that does not exist, and for `legacy`, which cannot be granted. */
  find(db: ReadDb, id: string): Promise<FoundResource | null>;
  /** Names of all of them, also of what is gone. */
  name(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, Resource>>;
  /** Returns the mailboxes that cover the documents among `ids`, by document; documents in no mailbox are left out. */
  mailboxesOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const EVERYTHING: Resource = { id: INSTALLATION, kind: 'installation', name: 'Everything' };
export const IN_NO_MAILBOX: Resource = { id: LEGACY, kind: 'legacy', name: 'Documents in no mailbox' };

export function createResources(documents: DocumentNames): Resources {
  return {
    async find(db, id) {
      if (id === INSTALLATION) return { resource: EVERYTHING, within: null };
      const mailbox = mailboxOfResource(id);
      const label = mailbox === null ? undefined : (await mailboxLabels(db, [mailbox])).get(mailbox);
      if (label !== undefined) return { resource: { id, kind: 'mailbox', name: label }, within: null };
      const document = documentOfResource(id);
      const found = document === null ? undefined : (await documents.find(db, [document])).get(document);
      if (!found) return null;
      const within = found.mailboxId === null ? null : mailboxResource(found.mailboxId);
      return { resource: { id, kind: 'inbound', name: found.name }, within };
    },

    async name(db, ids) {
      const labels = await mailboxLabels(
        db,
        ids.flatMap((id) => mailboxOfResource(id) ?? []),
      );
      const faxes = await documents.find(
        db,
        ids.flatMap((id) => documentOfResource(id) ?? []),
      );
      return new Map(ids.map((id) => [id, nameOf(id, { labels, faxes })]));
    },

    async mailboxesOf(db, ids) {
      const named = new Set(ids.flatMap((id) => documentOfResource(id) ?? []));
      if (named.size === 0) return new Map();
      const covered = new Map<string, string>();
      for (const [id, { mailboxId }] of await documents.find(db, [...named]))
        if (mailboxId !== null) covered.set(documentResource(id), mailboxResource(mailboxId));
      return covered;
    },
  };
}

function nameOf(
  id: string,
  known: { labels: ReadonlyMap<string, string>; faxes: Awaited<ReturnType<DocumentNames['find']>> },
): Resource {
  if (id === INSTALLATION) return EVERYTHING;
  const mailbox = mailboxOfResource(id);
  if (mailbox !== null) return { id, kind: 'mailbox', name: known.labels.get(mailbox) ?? 'A former mailbox' };
  const document = documentOfResource(id);
  if (document === null) return IN_NO_MAILBOX;
  return { id, kind: 'inbound', name: known.faxes.get(document)?.name ?? 'A former document' };
}
