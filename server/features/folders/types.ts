import type { GuardMode } from '../../../shared/guard.ts';
import type { SendWhen } from '../../../shared/send-when.ts';
import type { SentFileTable } from '../../db/schema/folders.ts';

export type SentFileRow = SentFileTable;

/** Order for a file, without its pages. */
export interface FileOrder {
  /** As it was written. */
  readonly to: string;
  /** Text of a page before the document; null for none. */
  readonly cover: string | null;
  /** Cover page by its ID, or `none`, and its values; undefined for what is not given. */
  readonly cover_page?: string | undefined;
  readonly cover_fields?: Readonly<Record<string, string>> | undefined;
  readonly title: string | null;
  /** Id or label; null leaves it to the settings. */
  readonly mailbox: string | null;
  /** With any offset; null for at once. */
  readonly sendAt: string | null;
  /** Latest time and hours; undefined for what is not given, which keeps the fingerprint of such files. */
  readonly sendBy?: string | undefined;
  readonly sendWhen?: SendWhen | undefined;
  readonly guard: GuardMode;
  /** Name of the fax in place of the file name; null for none. */
  readonly key: string | null;
  /** Description of the fax; undefined for what is not given, which keeps the fingerprint of such files. */
  readonly subject?: string | undefined;
  readonly reference?: string | undefined;
  readonly document_type?: string | undefined;
}
