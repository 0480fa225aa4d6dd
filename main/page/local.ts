import type { DesktopGatewayChoice } from '../../shared/desktop.ts';
import type { LocalBridge, NumberedStatus } from '../channels.ts';
import { addressField } from './address-field.ts';
import { button, element, show } from './elements.ts';
import { type AnsweringGateway, foundList } from './found-list.ts';

// The application's own page: what is happening while there is no gateway to show.

declare global {
  interface Window {
    readonly faxdeskApplication: LocalBridge;
  }
}

const SLOW_START_MS = 15_000;
const application = window.faxdeskApplication;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

let drawn: number | undefined;
let mayChoose = true;
let mayRunHere = true;

application.onStatus((status) => {
  if (status.number === drawn) return;
  drawn = status.number;
  ({ mayChoose, mayRunHere } = status);
  clearTimeout(slowTimer);
  draw(status);
});

function draw(status: NumberedStatus): void {
  switch (status.kind) {
    case 'starting':
      return drawStarting(status.again);
    case 'failed':
      return drawFailed(status.sentence, status.lines);
    case 'installing':
      return drawInstalling(status.version, status.isBack);
    case 'update-failed':
      return drawFailedUpdate(status);
    case 'office-unknown':
      return drawOfficeUnknown();
    case 'choosing':
      return drawChoice(status.present);
    case 'unreachable':
      return drawProblem(
        isHere(status.address)
          ? 'Faxdesk on this computer is not responding'
          : 'The other computer is not responding',
        `Faxdesk at ${status.address} is not responding. Trying again every few seconds. Nothing was lost.`,
      );
    case 'changed':
      return drawProblem(
        'The other computer has a different certificate',
        `The computer at ${status.address} is not the one ${mayChoose ? 'you' : 'your office'} confirmed, or its certificate was renewed. Nothing was sent to it. Ask the person who manages it${mayChoose ? ', then choose it again' : ''}.`,
      );
    default:
      status satisfies never;
  }
}

/** True for the gateway of the service, which windows of its own computer reach by this name. */
const isHere = (address: string) => URL.parse(address)?.hostname === 'localhost';

function drawStarting(again: boolean): void {
  const words = element('p', again ? 'It had stopped. No fax was lost.' : 'This takes a moment.');
  show(element('h1', again ? 'Faxdesk is restarting' : 'Faxdesk is starting'), words);
  slowTimer = setTimeout(() => {
    words.textContent =
      'This is taking longer than usual. After an update, Faxdesk may be updating its data. Please let it finish.';
  }, SLOW_START_MS);
}

function drawFailed(sentence: string, lines: readonly string[]): void {
  show(
    element('h1', 'Faxdesk could not start'),
    element('p', sentence),
    ...logEnd(lines),
    actions(tryAgain(), saveDiagnostics(), ...otherComputer()),
  );
  scrollToEnd();
}

function drawOfficeUnknown(): void {
  show(
    element('h1', 'Faxdesk cannot read the settings of your office'),
    element('p', 'Ask the person who manages this computer. Then quit Faxdesk and start it again.'),
    actions(saveDiagnostics()),
  );
}

function drawInstalling(version: string, isBack: boolean): void {
  show(
    element('h1', isBack ? `Going back to version ${version}` : `Installing Faxdesk ${version}`),
    element(
      'p',
      isBack
        ? 'The installer opens in a moment. No fax is lost.'
        : 'Faxdesk makes a backup and then opens the installer. With many faxes, this takes a few minutes. Faxes are not sent or received meanwhile, and none is lost.',
    ),
  );
}

function drawFailedUpdate(status: Extract<NumberedStatus, { kind: 'update-failed' }>): void {
  const { version, before, isLate, sentence, lines, wayBack } = status;
  const back = button(`Go back to version ${before}`, () => application.goBackToVersion());
  const wait = button('Keep waiting', () => application.keepWaiting());
  const again = button('Try again', () => application.tryAgain());
  const others = isLate ? [wait] : [again, saveDiagnostics(), ...(wayBack.isOpen ? [] : otherComputer())];
  const [first, ...rest] = wayBack.isOpen ? (isLate ? [wait, back] : [back, ...others]) : others;
  if (first !== undefined) first.className = 'primary';
  show(
    element('h1', isLate ? `Faxdesk ${version} is not ready yet` : `Faxdesk ${version} could not start`),
    element('p', sentence),
    element('p', wayBack.sentence),
    ...logEnd(lines),
    actions(...(first === undefined ? [] : [first]), ...rest),
  );
  scrollToEnd();
}

function logEnd(lines: readonly string[]): HTMLElement[] {
  if (lines.length === 0) return [];
  const log = element('pre', lines.join('\n'));
  log.tabIndex = 0;
  log.setAttribute('role', 'region');
  log.setAttribute('aria-label', 'End of the log');
  return [log];
}

function scrollToEnd(): void {
  const log = document.querySelector('pre');
  if (log !== null) log.scrollTop = log.scrollHeight;
}

function drawProblem(title: string, sentence: string): void {
  show(element('h1', title), element('p', sentence), actions(tryAgain(), ...otherComputer('Choose again…')));
}

function drawChoice(present: DesktopGatewayChoice): void {
  const field = addressField(present);
  const next = button('Continue', async () => {
    field.showProblem('');
    const answer = await application.findGateway(field.input.value);
    if (answer.found) return drawConfirmation(answer);
    field.showProblem(answer.sentence);
    field.input.focus();
  });
  next.className = 'primary';
  const found = foundList(application, drawConfirmation);
  field.input.addEventListener('keydown', ({ key }) => key === 'Enter' && next.click());
  const here = button('Use this computer', () => application.useGateway({ kind: 'own' }));
  const back = button('Back', () => application.goBack());
  const isOther = present.kind === 'other';
  show(
    element('h1', 'Which computer does this window connect to?'),
    element('p', currentGatewayText(present)),
    found,
    field.container,
    actions(
      next,
      ...(isOther && mayRunHere ? [here] : []),
      // Without a gateway to go back to.
      isOther || mayRunHere ? back : saveDiagnostics(),
    ),
  );
  field.input.focus();
}

const SEVERAL_PEOPLE =
  'This computer is a server for several people, so Faxdesk does not start separately for each of them: choose the Faxdesk of your office, or ask the person who manages this computer to set it for everyone (“gateway” in the decisions for every computer).';
const shownAt = (address: string) =>
  `It now shows Faxdesk at ${address}. It can also show Faxdesk on another computer`;

function currentGatewayText(present: DesktopGatewayChoice): string {
  if (!mayRunHere) return present.kind === 'own' ? SEVERAL_PEOPLE : `${shownAt(present.address)}.`;
  return present.kind === 'own'
    ? 'It now shows Faxdesk on this computer. It can also show Faxdesk on another computer in the office.'
    : `${shownAt(present.address)} or on this one.`;
}

/** Confirmed once for each computer: from then on the window connects to that certificate and to no other. */
function drawConfirmation(found: AnsweringGateway): void {
  const { fingerprint, authority } = found;
  if (fingerprint === null) return drawNamed(found, authority ?? '');
  const words = element('ol');
  words.className = 'words';
  words.append(...found.words.map((word) => element('li', word)));
  const { address } = found;
  const confirm = button('They match', () => application.useGateway({ kind: 'other', address, fingerprint }));
  confirm.className = 'primary';
  show(
    element('h1', `Is this the certificate of ${found.name}?`),
    element(
      'p',
      `Compare these six words, in this order, with the ones that the person who manages ${address} sees in Faxdesk under System > Other computers.`,
    ),
    words,
    fingerprintFold(fingerprint),
    element('p', `If they match, ${consequence()}`),
    actions(
      confirm,
      button('They do not match', () => application.openChoice()),
    ),
  );
  confirm.focus();
}

const consequence = () =>
  mayRunHere
    ? 'this window shows Faxdesk on that computer, and Faxdesk on this computer stops.'
    : 'this window shows Faxdesk on that computer.';

/** An authority confirms the name alone, so the person says if it is the right one. From then on the certificate may change. */
function drawNamed({ address }: AnsweringGateway, authority: string): void {
  const confirm = button('Yes, use it', () =>
    application.useGateway({ kind: 'other', address, fingerprint: null }),
  );
  confirm.className = 'primary';
  show(
    element('h1', `Is ${new URL(address).host} the Faxdesk of your office?`),
    element(
      'p',
      `${authority} confirms that this computer has that name. Compare the name, letter by letter, with the one that the person who manages Faxdesk gave you.`,
    ),
    element('p', `If it is the same, ${consequence()}`),
    actions(
      confirm,
      button('No', () => application.openChoice()),
    ),
  );
  confirm.focus();
}

/** The whole fingerprint, for a person who compares that instead of the words. */
function fingerprintFold(fingerprint: string): HTMLElement {
  const fold = element('details');
  const shown = element('p', fingerprint);
  shown.className = 'fingerprint';
  fold.append(element('summary', 'Show fingerprint'), shown);
  return fold;
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
  return button('Save a problem report…', () => application.saveDiagnostics());
}

/** The button to another computer; none where the office has chosen it. */
function otherComputer(label = 'Use Faxdesk on another computer…'): HTMLElement[] {
  return mayChoose ? [button(label, () => application.openChoice())] : [];
}
