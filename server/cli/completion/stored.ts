import type { Client } from '../../../shared/client/index.ts';
import { oneLine } from '../terminal.ts';
import type { Completion, LoadStored } from './complete.ts';

type Load = (client: Client) => Promise<Completion[]>;

const LIMIT = 50;
const QUERY = { query: { limit: LIMIT } } as const;

/** Things that a placeholder stands for, whatever the command. */
const BY_PLACEHOLDER: Readonly<Record<string, Load>> = {
  who: async ({ people }) =>
    (await people.listUsers({ query: { kind: 'all', limit: LIMIT } })).items.map(person),
  person: async ({ people }) =>
    (await people.listUsers({ query: { kind: 'user', limit: LIMIT } })).items.map(person),
  integration: async ({ people }) =>
    (await people.listUsers({ query: { kind: 'integration', limit: LIMIT } })).items.map(person),
  group: async ({ groups }) => (await groups.listGroups(QUERY)).items.map(named),
  role: async ({ roles }) => (await roles.listRoles(QUERY)).items.map(named),
  mailbox: async ({ mailboxes }) =>
    (await mailboxes.listMailboxes(QUERY)).items.map(({ id, label }) => plain(label, id)),
  contact: async ({ contacts }) => (await contacts.listContacts(QUERY)).items.map(named),
  route: async ({ deliveryRoutes }) => (await deliveryRoutes.listDeliveryRoutes(QUERY)).items.map(named),
  connector: async ({ intake }) => (await intake.listConnectors()).items.map(named),
  'print-rule': async ({ printRules }) => (await printRules.listPrintRules()).items.map(named),
  key: async ({ keys }) =>
    (await keys.listAccessKeys(QUERY)).items.map(({ key_id, name, principal }) => ({
      value: key_id,
      help: oneLine(name ?? principal.display_name),
    })),
  names: async ({ settings }) => (await settings.read()).settings.map(({ name }) => plain(name)),
  changes: async ({ settings }) => (await settings.read()).settings.map(({ name }) => plain(`${name}=`)),
};

/** Things of an `<id>`, by the first word of the command. */
const BY_ID: Readonly<Record<string, Load>> = {
  jobs: sentFaxes,
  status: sentFaxes,
  inbound: async ({ inbound }) =>
    (await inbound.pageInbound(QUERY)).items.map(({ id, fr, status }) => ({
      value: id,
      help: oneLine(`${fr}, ${status}`),
    })),
  work: async ({ work }) =>
    (await work.listWork(QUERY)).items.map(({ id, from_number, mailbox }) => ({
      value: id,
      help: oneLine([from_number ?? 'unknown number', mailbox].filter((text) => text !== null).join(', ')),
    })),
  deliveries: async ({ intake }) =>
    (await intake.listDeliveries(QUERY)).items.map(({ id, connector, state }) => ({
      value: id,
      help: oneLine(`${connector.name}, ${state}`),
    })),
  printouts: async ({ printRules }) =>
    (await printRules.listPrintouts(QUERY)).items.map(({ id, printer, state }) => ({
      value: id,
      help: oneLine(`${printer}, ${state}`),
    })),
  sessions: async ({ sessions }) =>
    (await sessions.listAccessSessions({ query: { live: 'true', limit: LIMIT } })).items.map(
      ({ session_id, principal, device }) => ({
        value: session_id,
        help: oneLine(`${principal.display_name}, ${device}`),
      }),
    ),
};

/** Placeholders with another name in one group of commands. */
const SAME_AS: Readonly<Record<string, string>> = {
  label: 'mailbox',
  'print-rule or address': 'print-rule',
  'id or label': 'mailbox',
  'settings show name': 'names',
};

/**
 * Loads the stored things that a command can name, as far as the caller may list them. Returns nothing where the gateway
 * refuses or cannot be reached: completion never fails.
 */
export function createStoredValues(connect: () => Promise<Client>): LoadStored {
  return async ({ placeholder, path }) => {
    const name = SAME_AS[`${path.join(' ')} ${placeholder}`] ?? SAME_AS[placeholder] ?? placeholder;
    const load = name === 'id' ? BY_ID[path[0] ?? ''] : BY_PLACEHOLDER[name];
    if (!load) return [];
    try {
      return await load(await connect());
    } catch {
      return [];
    }
  };
}

async function sentFaxes({ outbound }: Client): Promise<Completion[]> {
  const { items } = await outbound.listFaxes(QUERY);
  return items.map(({ id, to, delivery_state }) => ({
    value: id,
    help: oneLine(`${to}, ${delivery_state}`),
  }));
}

/** People by sign-in name, integrations by name. */
function person({
  id,
  login,
  display_name,
}: {
  id: string;
  login: string | null;
  display_name: string;
}): Completion {
  return login === null ? plain(display_name, id) : { value: login, help: oneLine(display_name) };
}

const named = ({ id, name }: { id: string; name: string }): Completion => plain(name, id);

/** A name as it is; its id where control characters in the name would change what is typed. */
function plain(name: string, id = name): Completion {
  return /\p{Cc}/u.test(name) ? { value: id, help: oneLine(name) } : { value: name, help: '' };
}
