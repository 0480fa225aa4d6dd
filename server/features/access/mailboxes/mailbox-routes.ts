import { mailboxRoutes as routes } from '../../../../shared/api/access-mailboxes.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { actorOf } from '../service.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { NumberRules } from './number-rules.ts';

type StoredMailbox = Awaited<ReturnType<Mailboxes['change']>>['result'];
type StoredRule = Awaited<ReturnType<NumberRules['change']>>['result'];

/** Mailboxes, and which number is filed where. */
export function mailboxServedRoutes(parts: { mailboxes: Mailboxes; rules: NumberRules }): ServedRoute[] {
  return [...mailboxesRoutes(parts.mailboxes), ...rulesRoutes(parts.rules)];
}

function mailboxesRoutes(mailboxes: Mailboxes): ServedRoute[] {
  const changed = ({ result, policyVersion }: Awaited<ReturnType<Mailboxes['change']>>) => ({
    mailbox: mailboxAnswer(result),
    policy_version: policyVersion,
  });
  return [
    serve(routes.listMailboxes, async ({ query }) => {
      const { items, next_cursor, policyVersion } = await mailboxes.list(query);
      return { items: items.map(mailboxAnswer), next_cursor, policy_version: policyVersion };
    }),
    serve(routes.createMailbox, async ({ caller, body }) => {
      const { expected_policy_version: expectedVersion, ...fields } = body;
      return changed(await mailboxes.create(actorOf(caller), { ...fields, expectedVersion }));
    }),
    serve(routes.changeMailbox, async ({ caller, params, body }) => {
      const { version, expected_policy_version: expectedVersion, ...patch } = body;
      const item = { id: params.id, version, expectedVersion };
      return changed(await mailboxes.change(actorOf(caller), item, patch));
    }),
  ];
}

function rulesRoutes(rules: NumberRules): ServedRoute[] {
  const changed = ({ result, policyVersion }: Awaited<ReturnType<NumberRules['change']>>) => ({
    rule: ruleAnswer(result),
    policy_version: policyVersion,
  });
  return [
    serve(routes.listInboundRules, async ({ query }) => {
      const { mailbox_id: mailboxId, ...page } = query;
      const { items, next_cursor, policyVersion } = await rules.list({ mailboxId, ...page });
      return { items: items.map(ruleAnswer), next_cursor, policy_version: policyVersion };
    }),
    serve(routes.createInboundRule, async ({ caller, body }) => {
      const { to_number: number, mailbox_id: mailboxId, expected_policy_version: expectedVersion } = body;
      const wanted = { number, mailboxId, expectedVersion };
      return changed(await rules.create(actorOf(caller), wanted));
    }),
    serve(routes.changeInboundRule, async ({ caller, params, body }) => {
      const item = { id: params.id, version: body.version, expectedVersion: body.expected_policy_version };
      const patch = { number: body.to_number, mailboxId: body.mailbox_id };
      return changed(await rules.change(actorOf(caller), item, patch));
    }),
    serve(routes.removeInboundRule, async ({ caller, params, body }) => {
      const item = { id: params.id, version: body.version, expectedVersion: body.expected_policy_version };
      return changed(await rules.remove(actorOf(caller), item));
    }),
  ];
}

function mailboxAnswer(mailbox: StoredMailbox) {
  const { id, label, cover_id, version, created_at, updated_at } = mailbox;
  const numbers = [...mailbox.numbers];
  return { id, label, enabled: mailbox.enabled === 1, numbers, cover_id, version, created_at, updated_at };
}

function ruleAnswer(rule: StoredRule) {
  const { id, to_number, version, created_at, updated_at } = rule;
  const mailbox = { id: rule.mailbox_id, label: rule.label, enabled: rule.mailbox_enabled === 1 };
  return { id, to_number, mailbox, version, created_at, updated_at };
}
