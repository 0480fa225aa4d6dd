import { readFileSync } from 'node:fs';
import type { ChosenStep, Transports } from '../../server/features/outbound/port.ts';
import {
  type Transport,
  TransportError,
  type TransportReport,
  type TransportTraits,
} from '../../server/features/outbound/transport-port.ts';
import { newId } from '../../server/platform/ids.ts';
import type { Backend } from '../../shared/backends.ts';

/** Reaction of a transport to a call; one that hangs does not answer until the test decides. */
export type Answer = 'accept' | 'try later' | 'refuse' | 'unknown' | 'break' | 'hang';

/** One fax as a transport was asked to send it. */
export interface ScriptedCall {
  readonly to: string;
  readonly step: number;
  readonly reference: string;
  /** Content that it was given to send. */
  readonly content: string;
  /** Final answer; still `hang` while there is none. */
  answer: Answer;
  /** Its worker was killed before the answer came. */
  lost: boolean;
}

const BACKENDS: Backend[] = ['cloudone', 'cloudtwo', 'sip'];

const TRAITS: TransportTraits = {
  polls: true,
  callbacks: false,
  printsOurTime: true,
  numbersPages: true,
  printsHeader: true,
  stops: false,
};

/** Transports with scripted answers, at the port; they keep the true outcome of every fax they received. */
export class ScriptedTransports implements Transports {
  readonly begun: ScriptedCall[] = [];
  /** For the calls to come, the next one first; empty: every fax is taken. */
  readonly reachAnswers: Answer[] = [];
  readonly beginAnswers: Answer[] = [];
  /** Report of the transport on a fax it has; null while it is still sending. */
  readonly outcomes = new Map<string, Pick<TransportReport, 'outcome' | 'noPageTransmitted' | 'pages'>>();
  steps = 1;
  kind: Transport['kind'] = 'provider';
  /** Of the account of each step; null: calls are not counted. */
  lines: number | null = null;
  #hung: Array<(answer: Answer) => void> = [];
  #onHang: () => void = () => undefined;

  async plan(): Promise<{ steps: ChosenStep[]; backend: Backend }> {
    const steps = Array.from({ length: this.steps }, (_, i) => ({
      transport: { kind: this.kind, backend: BACKENDS[i % BACKENDS.length] ?? 'cloudone' },
      account: { id: `account ${i + 1}`, credentials: { step: i + 1 } },
      traits: { ...TRAITS, lines: this.lines },
      reason: 'It is the way of a test.',
      callbackPath: null,
      route: null,
      linesOf: `account ${i + 1}`,
      isNextRoute: false,
    }));
    return { steps, backend: BACKENDS[0] ?? 'cloudone' };
  }

  nameOf(): string {
    return 'Phaxio';
  }

  of({ kind, backend }: { kind: Transport['kind']; backend: Backend }): Transport {
    return {
      kind,
      backend,
      traits: TRAITS,
      callbacks: null,
      reach: async () => {
        await this.#answerAs(this.reachAnswers.shift() ?? 'accept');
      },
      submit: async (credentials, request) => {
        const answer = this.beginAnswers.shift() ?? 'accept';
        const { step } = credentials as { step: number };
        const reference = `taken ${newId()}`;
        const content = readFileSync(request.document.path, 'utf8');
        const fax = { to: request.to, step, reference, content, answer, lost: false };
        this.begun.push(fax);
        await this.#answerAs(answer, fax);
        return { reference: fax.reference };
      },
      fetchReport: async (_credentials, reference) => this.report(reference),
    };
  }

  report(reference: string): TransportReport {
    const reported = this.outcomes.get(reference) ?? {
      outcome: 'in_progress',
      noPageTransmitted: false,
      pages: null,
    };
    const nothing = {
      unreached: null,
      rateBps: null,
      cost: null,
      completedAt: null,
      to: null,
      failureCode: null,
    };
    const failure = reported.outcome === 'failed' ? 'The line was busy.' : null;
    return { ...nothing, ...reported, reference, rawStatus: reported.outcome, direction: 'sent', failure };
  }

  /** Resolves as soon as a call hangs. */
  waitUntilHung(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHang = resolve;
    });
  }

  /** Lets the calls that hang answer after all. */
  answerLate(answer: Answer): void {
    for (const settle of this.#hung.splice(0)) settle(answer);
  }

  /** Resolves for a fax that is accepted, and throws the errors of the port. */
  async #answerAs(answer: Answer, fax?: ScriptedCall): Promise<void> {
    if (fax) fax.answer = answer;
    const category = 'provider_unavailable' as const;
    const error = (certainty: TransportError['certainty']) =>
      new TransportError(answer, { certainty, category, publicMessage: `The provider says: ${answer}.` });
    switch (answer) {
      case 'accept':
        return;
      case 'try later':
        throw error('try_later');
      case 'refuse':
        throw error('not_accepted');
      case 'unknown':
        throw error('unknown');
      case 'break':
        throw new Error('broken');
      case 'hang':
        this.#onHang();
        return this.#answerAs(await new Promise<Answer>((resolve) => this.#hung.push(resolve)), fax);
      default:
        return answer satisfies never;
    }
  }
}
