import { createHash } from 'node:crypto';
import { type Session, session } from 'electron';
import type { DesktopGatewayChoice, DesktopGatewayState } from '../shared/desktop.ts';
import type { LocalStatus, NumberedStatus } from './channels.ts';
import type { GatewayState, OwnGateway } from './gateway.ts';
import { serveLocalPage } from './local-page.ts';
import { readableLine } from './log-lines.ts';
import type { OriginGate } from './origin-gate.ts';
import { type OtherGateway, pinCertificate, probeGateway } from './other-gateway.ts';
import type { Preferences } from './preferences.ts';
import { secureSession } from './security.ts';
import type { GatewayPlace } from './terminal-server.ts';
import type { MainWindow } from './window.ts';

const RETRY_MS = 5_000;
const MAX_LOG_LINES = 40;

interface WindowContentParts {
  readonly gateway: OwnGateway;
  readonly gate: OriginGate;
  readonly window: MainWindow;
  readonly preferences: Preferences;
  /** False when the file of the office cannot be read. */
  readonly isOfficeKnown: boolean;
  readonly gatewayPlace: GatewayPlace;
  /** Called with false when the gateway of another computer cannot be used, and with true when it can. */
  readonly onOtherGateway: (isConnected: boolean) => void;
  /** Describes a failed start after an update; null after any other. */
  readonly describeFailedUpdate: (failure: {
    sentence: string;
    lines: readonly string[];
  }) => Promise<LocalStatus | null>;
}

/** Controls the content of the window: the console of this computer's gateway or of another's, or what prevents it. */
export function createWindowContent(parts: WindowContentParts): WindowContent {
  return new WindowContent(parts);
}

export type { WindowContent };

class WindowContent {
  readonly #parts: WindowContentParts;
  readonly #prepared = new WeakSet<Session>();
  #status: NumberedStatus = {
    kind: 'starting',
    again: false,
    number: 0,
    mayChoose: true,
    mayRunHere: true,
  };
  #showsConsole = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: WindowContentParts) {
    this.#parts = parts;
    parts.gateway.on('state', (state) => {
      // A person choosing another computer is not interrupted, and finds the current state of the gateway on going
      // back.
      if (!this.#isChoosing) void this.#applyState(state);
    });
  }

  get status(): NumberedStatus {
    return this.#status;
  }

  /** As the console sees it. A gateway of another computer is its own page's to watch. */
  get gatewayState(): DesktopGatewayState {
    const { gateway, preferences } = this.#parts;
    if (preferences.gateway.kind === 'other') return 'running';
    const { kind } = gateway.state;
    return kind === 'running' || kind === 'starting' ? kind : 'stopped';
  }

  get #isChoosing(): boolean {
    return !this.#showsConsole && this.#status.kind === 'choosing';
  }

  get #mayChoose(): boolean {
    return this.#parts.isOfficeKnown && !this.#parts.preferences.isDecided('gateway');
  }

  /** False on a terminal server, where no gateway is started for this account. */
  get mayRunHere(): boolean {
    return this.#parts.gatewayPlace !== 'elsewhere';
  }

  get isOwn(): boolean {
    return this.mayRunHere && this.#parts.preferences.gateway.kind === 'own';
  }

  /** Opens the window on the chosen gateway, which on this computer is started. */
  async open(options: { show: boolean }): Promise<void> {
    const { gateway, window, preferences } = this.#parts;
    const choice = preferences.gateway;
    await window.open(this.#sessionFor(choice), options);
    if (!this.#parts.isOfficeKnown) return this.#show({ kind: 'office-unknown' });
    if (choice.kind === 'own' && !this.mayRunHere) return this.choose();
    const shown = this.#show({ kind: 'starting', again: false });
    // Not after one another: the page and the gateway take their time to start.
    if (choice.kind === 'other') await this.#connect(choice);
    else if (gateway.state.kind === 'running') await this.#applyState(gateway.state);
    else await gateway.start();
    await shown;
  }

  async tryAgain(): Promise<void> {
    const { gateway, preferences, isOfficeKnown } = this.#parts;
    // A gateway here may be one too many.
    if (!isOfficeKnown) return this.#show({ kind: 'office-unknown' });
    if (preferences.gateway.kind === 'other') await this.#connect(preferences.gateway);
    else if (this.mayRunHere) await gateway.start();
    else await this.choose();
  }

  /** Leads to the page where the gateway is chosen. */
  async choose(): Promise<void> {
    if (!this.#mayChoose) return;
    clearTimeout(this.#retry);
    await this.#show({ kind: 'choosing', present: this.#parts.preferences.gateway });
  }

  /** Shows the progress of an installation, or the reason why it failed. */
  async showUpdate(status: LocalStatus): Promise<void> {
    await this.#show(status);
  }

  async goBack(): Promise<void> {
    const { gateway, preferences } = this.#parts;
    if (preferences.gateway.kind === 'other') await this.#connect(preferences.gateway);
    else if (this.mayRunHere) await this.#applyState(gateway.state);
    else await this.choose();
  }

  /** Takes a choice that a person confirmed. A gateway that cannot be reached just now is not taken. */
  async selectGateway(choice: DesktopGatewayChoice): Promise<void> {
    const { gateway, gate, preferences } = this.#parts;
    if (!this.#mayChoose || (choice.kind === 'own' && !this.mayRunHere)) return;
    if (choice.kind === 'other') {
      const found = await probeGateway(choice);
      if (found !== 'there') return this.#show({ kind: found, address: choice.address });
    }
    await preferences.change({ gateway: choice });
    gate.shut();
    this.#showsConsole = false;
    if (choice.kind === 'other') await gateway.stop();
    await this.open({ show: true });
  }

  /** The page of a gateway did not load. */
  async loadFailed(): Promise<void> {
    const { preferences } = this.#parts;
    const choice = preferences.gateway;
    if (choice.kind === 'other') return this.#unreachable(choice);
    await this.#show({ kind: 'starting', again: true });
    this.#scheduleRetry(() => this.#applyState(this.#parts.gateway.state));
  }

  async #applyState(state: GatewayState): Promise<void> {
    if (!this.isOwn) return;
    const { gate } = this.#parts;
    switch (state.kind) {
      case 'running':
        gate.open(state.origin);
        return this.#showConsole(state.origin);
      case 'starting':
        gate.hold();
        // The console stays as it is, with its input, and shows that the gateway is restarting.
        if (this.#showsConsole) return this.#sendState();
        return this.#show({ kind: 'starting', again: state.again });
      case 'failed': {
        gate.shut();
        const lines = this.#parts.gateway.lines.all.slice(-MAX_LOG_LINES).map(readableLine);
        const { sentence } = state;
        const status = await this.#parts.describeFailedUpdate({ sentence, lines });
        if (state !== this.#parts.gateway.state) return;
        return this.#show(status ?? { kind: 'failed', sentence, lines });
      }
      case 'stopped':
        gate.hold();
        return this.#sendState();
      default:
        state satisfies never;
    }
  }

  async #connect(other: OtherGateway): Promise<void> {
    clearTimeout(this.#retry);
    const found = await probeGateway(other);
    if (found === 'unreachable') return this.#unreachable(other);
    if (found === 'changed') return this.#show({ kind: 'changed', address: other.address });
    this.#parts.gate.open(other.address);
    this.#parts.onOtherGateway(true);
    await this.#showConsole(other.address);
  }

  async #unreachable(other: OtherGateway): Promise<void> {
    await this.#show({ kind: 'unreachable', address: other.address });
    this.#scheduleRetry(() => this.#connect(other));
  }

  #scheduleRetry(work: () => Promise<void>): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void work(), RETRY_MS);
  }

  async #showConsole(origin: string): Promise<void> {
    this.#showsConsole = true;
    this.#sendState();
    await this.#parts.window.showConsole(origin);
  }

  async #show(status: LocalStatus): Promise<void> {
    this.#status = {
      ...status,
      number: this.#status.number + 1,
      mayChoose: this.#mayChoose,
      mayRunHere: this.mayRunHere,
    };
    const isUnconnected = status.kind === 'choosing' && status.present.kind === 'own' && !this.mayRunHere;
    if (status.kind === 'unreachable' || status.kind === 'changed' || isUnconnected)
      this.#parts.onOtherGateway(false);
    this.#showsConsole = false;
    await this.#parts.window.showLocalPage();
    // Not what was to be shown: meanwhile it may have become something else.
    this.#parts.window.send('status', this.#status);
  }

  #sendState(): void {
    this.#parts.window.send('gateway', this.gatewayState);
  }

  /** Each gateway has a session of its own: cookies, drafts and the confirmed certificate stay apart. */
  #sessionFor(choice: DesktopGatewayChoice): Session {
    const name = choice.kind === 'own' ? 'own' : hashOf(`${choice.address} ${choice.fingerprint}`);
    const found = session.fromPartition(`persist:${name}`);
    if (this.#prepared.has(found)) return found;
    this.#prepared.add(found);
    secureSession(found, this.#parts.gate);
    serveLocalPage(found);
    if (choice.kind === 'other') pinCertificate(found, choice);
    return found;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
