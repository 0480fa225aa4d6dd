import type { FoundGateway, LocalBridge, NetworkGateway } from '../channels.ts';
import { button, element } from './elements.ts';
import { fillProblem, problemLine } from './problem-line.ts';

/** A gateway of another computer that answered and shows its certificate. */
export type AnsweringGateway = Extract<FoundGateway, { found: true }>;

/** Pause between two searches. */
const SEARCH_PAUSE_MS = 4_000;
/** Number of searches without an answer after which a gateway is removed: a single message can be lost. */
const MAX_MISSED_SEARCHES = 3;

const SEARCHING = 'Searching the local network…';
const NONE =
  'No other Faxdesk was found in the local network. A Faxdesk is listed here if “Found in the local network” is on in its settings.';

interface Row {
  readonly item: HTMLElement;
  /** Shows a gateway as it announces itself now. */
  update(gateway: NetworkGateway): void;
  /** Number of consecutive searches without an answer. */
  missedSearches: number;
}

/**
 * Returns a list of the gateways in the local network, which is kept up to date while it is shown. A row keeps its
 * position and the focus; new rows are added at the end. `onFound` is called with the gateway that a person chose and
 * that answered.
 */
export function foundList(
  application: LocalBridge,
  onFound: (gateway: AnsweringGateway) => void,
): HTMLElement {
  const heading = element('h2', 'In the local network');
  heading.id = 'found-heading';
  const list = element('ul');
  list.className = 'found';
  list.setAttribute('aria-labelledby', heading.id);
  const state = element('p', SEARCHING);
  state.className = 'help';
  const problem = problemLine();
  const container = element('div');
  container.className = 'field';
  container.append(heading, list, state, problem);
  const rows = new Map<string, Row>();
  const choose = async ({ addresses, root }: NetworkGateway) => {
    fillProblem(problem, '');
    const answer = await application.findAnnounced({ addresses, root });
    if (answer.found) onFound(answer);
    else fillProblem(problem, answer.sentence);
  };
  const search = async () => {
    const found = await application.searchNetwork().catch(() => []);
    if (!container.isConnected) return;
    for (const row of rows.values()) row.missedSearches += 1;
    for (const gateway of found) {
      const row = rows.get(keyOf(gateway)) ?? makeRow(choose);
      rows.set(keyOf(gateway), row);
      row.update(gateway);
      if (!row.item.isConnected) list.append(row.item);
    }
    removeUnanswered(rows);
    state.textContent = rows.size === 0 ? NONE : '';
    setTimeout(() => void search(), SEARCH_PAUSE_MS);
  };
  void search();
  return container;
}

/** Returns the identity of a gateway: the fingerprint of its root, which stays when its addresses change. */
const keyOf = ({ root, name, addresses }: NetworkGateway) => root ?? `${name} ${addresses[0]}`;

function removeUnanswered(rows: Map<string, Row>): void {
  for (const [key, { item, missedSearches }] of rows) {
    if (missedSearches < MAX_MISSED_SEARCHES) continue;
    item.remove();
    rows.delete(key);
  }
}

function makeRow(choose: (gateway: NetworkGateway) => Promise<void>): Row {
  let shown: NetworkGateway | null = null;
  const name = element('span');
  const address = element('span');
  address.className = 'help';
  const chooser = button('', async () => shown && choose(shown));
  chooser.append(name, address);
  const item = element('li');
  item.append(chooser);
  return {
    item,
    missedSearches: 0,
    update(gateway) {
      this.missedSearches = 0;
      shown = gateway;
      name.textContent = gateway.name;
      address.textContent = gateway.addresses[0]?.replace('https://', '') ?? '';
    },
  };
}
