import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import { createCleanup } from './cleanup.ts';
import { listedMessages } from './listing.ts';
import { createMailboxReader } from './mailbox-reader.ts';
import type { MailToFaxParts } from './parts.ts';
import { createReplies } from './replies/send.ts';
import { addSender, readSenders, removeSender, type SenderAnswer, type SenderInput } from './senders.ts';
import type { MessageFilter } from './store/message-store.ts';

/** E-mails that are sent as faxes. Refusals are MailToFaxRefusalError. */
export interface MailToFaxService {
  readonly jobs: readonly JobDefinition<never>[];
  messages(caller: Caller, filter: MessageFilter): ReturnType<typeof listedMessages>;
  senders(): Promise<SenderAnswer[]>;
  addSender(caller: Caller, sender: SenderInput): Promise<SenderAnswer>;
  removeSender(caller: Caller, id: string): Promise<SenderAnswer>;
  /** Follows the present settings: which mailbox is read. */
  plan(): Promise<void>;
  /** Plans the next look for replies to send, and the next cleanup. */
  planRepeated(): Promise<void>;
  /** Waits for no more messages. */
  close(): void;
  /** Warnings for an administrator, as sentences. */
  warnings(): readonly string[];
}

export function createMailToFaxService(parts: MailToFaxParts): MailToFaxService {
  const reading = createMailboxReader(parts);
  const replies = createReplies(parts);
  const cleanup = createCleanup(parts);
  return {
    jobs: [reading.definition, replies.definition, cleanup.definition] as unknown as JobDefinition<never>[],
    messages: (caller, filter) => listedMessages(parts, caller, filter),
    senders: () => readSenders(parts),
    addSender: (caller, sender) => addSender(parts, caller, sender),
    removeSender: (caller, id) => removeSender(parts, caller, id),
    plan: () => reading.plan(),
    async planRepeated() {
      if (parts.db.damage.isFound) return;
      await replies.plan();
      await cleanup.plan();
    },
    close: () => reading.close(),
    warnings: () => reading.warnings(),
  };
}
