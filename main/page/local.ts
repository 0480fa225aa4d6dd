import type { DesktopGatewayChoice } from '../../shared/desktop.ts';
import type { FoundGateway, LocalBridge, LocalStatus } from '../channels.ts';
import { addressField } from './address-field.ts';
import { button, element, show } from './elements.ts';

// The application's own page: what is happening while there is no gateway to show.

declare global {
  interface Window {
    readonly faxdeskApplication: LocalBridge;
  }
}

const LONG_MS = 15_000;
const application = window.faxdeskApplication;
let patience: ReturnType<typeof setTimeout> | undefined;

application.onStatus((status) => {
  clearTimeout(patience);
  draw(status);
});

function draw(status: LocalStatus): void {
  switch (status.kind) {
    case 'starting':
      return drawStarting(status.again);
    case 'failed':
      return drawFailed(status.sentence, status.lines);
    case 'choosing':
      return drawChoice(status.present);
    case 'unreachable':
      return drawProblem(
        'The other Faxdesk does not answer',
        `Nothing answers at ${status.address}. Faxdesk tries again by itself every few seconds; nothing was lost.`,
      );
    case 'changed':
      return drawProblem(
        'The other Faxdesk shows another certificate',
        `The computer at ${status.address} is not the one that was confirmed, or its certificate was renewed. Nothing was sent to it. Ask whoever looks after it, then choose it again.`,
      );
    default:
      status satisfies never;
  }
}

function drawStarting(again: boolean): void {
  const words = element('p', again ? 'It had stopped. No fax was lost.' : 'It takes a moment.');
  show(element('h1', again ? 'Faxdesk is being started again' : 'Faxdesk is starting'), words);
  patience = setTimeout(() => {
    words.textContent =
      'This takes longer than usual. After an update the store may be brought to its new shape; let it finish.';
  }, LONG_MS);
}

function drawFailed(sentence: string, lines: readonly string[]): void {
  const log = element('pre', lines.join('\n'));
  log.tabIndex = 0;
  log.setAttribute('role', 'region');
  log.setAttribute('aria-label', 'The last lines of the log');
  show(
    element('h1', 'Faxdesk does not run'),
    element('p', sentence),
    ...(lines.length === 0 ? [] : [log]),
    actions(tryAgain(), saveDiagnostics(), otherComputer()),
  );
  log.scrollTop = log.scrollHeight;
}

function drawProblem(title: string, sentence: string): void {
  show(element('h1', title), element('p', sentence), actions(tryAgain(), otherComputer('Choose again…')));
}

function drawChoice(present: DesktopGatewayChoice): void {
  const field = addressField(present);
  const next = button('Continue', async () => {
    field.complain('');
    const found = await application.findGateway(field.input.value);
    if (found.found) return drawConfirmation(found);
    field.complain(found.sentence);
    field.input.focus();
  });
  next.className = 'primary';
  field.input.addEventListener('keydown', ({ key }) => key === 'Enter' && next.click());
  const here = button('Use this computer', () => application.useGateway({ kind: 'own' }));
  const back = button('Back', () => application.goBack());
  show(
    element('h1', 'Which Faxdesk does this window show?'),
    element('p', shownNow(present)),
    field.whole,
    actions(next, ...(present.kind === 'own' ? [] : [here]), back),
  );
  field.input.focus();
}

function shownNow(present: DesktopGatewayChoice): string {
  return present.kind === 'own'
    ? 'Now it is the Faxdesk of this computer. It can be one that runs on another computer of the office.'
    : `Now it is the one at ${present.address}. It can be another, or the Faxdesk of this computer.`;
}

/** Asked once for each computer: from then on the window speaks to that certificate and to no other. */
function drawConfirmation(found: Extract<FoundGateway, { found: true }>): void {
  const fingerprint = element('p', found.fingerprint);
  fingerprint.className = 'fingerprint';
  const { address } = found;
  const confirm = button('It is the same', () =>
    application.useGateway({ kind: 'other', address, fingerprint: found.fingerprint }),
  );
  confirm.className = 'primary';
  show(
    element('h1', `Is this the certificate of ${found.name}?`),
    element(
      'p',
      `Compare it with what whoever looks after ${address} tells you. It is the SHA-256 fingerprint.`,
    ),
    fingerprint,
    element('p', 'When it is the same, this window belongs to that computer, and no gateway runs here.'),
    actions(
      confirm,
      button('It is not', () => application.openChoice()),
    ),
  );
  confirm.focus();
}

function actions(...buttons: HTMLElement[]): HTMLElement {
  const row = element('div');
  row.className = 'actions';
  row.append(...buttons);
  return row;
}

function tryAgain(): HTMLElement {
  const again = button('Try again', () => application.tryAgain());
  again.className = 'primary';
  return again;
}

function saveDiagnostics(): HTMLElement {
  return button('Save diagnostics…', () => application.saveDiagnostics());
}

function otherComputer(label = 'Use a Faxdesk on another computer…'): HTMLElement {
  return button(label, () => application.openChoice());
}
