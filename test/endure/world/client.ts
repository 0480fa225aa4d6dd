import { setTimeout as pause } from 'node:timers/promises';
import { flate, onePage } from '../../fixtures/pdf-parts.ts';
import type { Random } from '../../fuzz/random.ts';
import type { ClientFax } from './records.ts';
import type { Answer, World } from './world.ts';

/** Actions of a client for one fax, decided before it begins. */
interface ClientPlan {
  readonly key: string;
  readonly to: string;
  readonly file: File;
  /** Sends what a preview made. */
  readonly isPreviewed: boolean;
  /** Asks for it to be cancelled after so many milliseconds; null: never. */
  readonly cancelAfterMs: number | null;
  /** Repeats the request although it was answered. */
  readonly isRepeated: boolean;
  /** Pause before it begins. Milliseconds. */
  readonly afterMs: number;
}

/** The decisions about the fax with this number, which no other has. */
export function planClient(random: Random, number: number): ClientPlan {
  const name = `fax-${number}`;
  return {
    key: `key-${number}`,
    to: numberOf(number),
    file: random.chance(60) ? letter(name, random.int(40)) : drawing(name, random),
    isPreviewed: random.chance(20),
    cancelAfterMs: random.chance(12) ? random.int(120) : null,
    isRepeated: random.chance(20),
    afterMs: random.int(150),
  };
}

/** +1 202 2xx xxxx: as many as a trial needs. */
export function numberOf(number: number): string {
  return `+1202${2_000_000 + number}`;
}

function letter(name: string, lines: number): File {
  const text = Array.from({ length: lines + 1 }, (_, line) => `${name}, line ${line + 1}`).join('\n');
  return new File([text], `${name}.txt`, { type: 'text/plain' });
}

function drawing(name: string, random: Random): File {
  const bytes = pagePdf(name, random.chance(10) ? 400_000 : random.int(2_000));
  return new File([new Uint8Array(bytes)], `${name}.pdf`, { type: 'application/pdf' });
}

/** A PDF of one page that says its name and has so many bytes more; one that is large is uploaded by way of the disk. */
export function pagePdf(name: string, padding = 0): Buffer {
  const contents = flate('', `BT /F 12 Tf 60 760 Td (${name}) Tj ET`);
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  return onePage(contents, '/Font << /F 5 0 R >>', [font, `(${'x'.repeat(padding)})`]);
}

/**
 * So long a client repeats what a gateway that was up did not answer; an Idempotency-Key is kept longer than that. While the
 * gateway is down nobody counts: on a busy machine its starts take most of the time.
 */
const TIMEOUT_MS = 120_000;
const RETRY_DELAY_MS = 150;
/** Statuses after which a client retries: nothing was recorded, or the result is unknown. */
const RETRYABLE = [429, 500, 502, 503, 504, 507];

/** Sends the fax until it is answered, as a program with an Idempotency-Key does, and does what else was decided. */
export async function runClient(world: World, plan: ClientPlan, signal: AbortSignal): Promise<void> {
  await pause(plan.afterMs);
  const fax: ClientFax = { key: plan.key, to: plan.to, id: null, sha256: null, isCancelled: false };
  world.clients.push(fax);
  await sendUntilAnswered(world, plan, fax, signal);
  if (fax.id === null) return;
  if (plan.isRepeated) await sendUntilAnswered(world, plan, fax, signal);
  if (plan.cancelAfterMs !== null) await cancel(world, fax, plan.cancelAfterMs);
}

async function sendUntilAnswered(
  world: World,
  plan: ClientPlan,
  fax: ClientFax,
  signal: AbortSignal,
): Promise<void> {
  for (let waitedMs = 0; !signal.aborted && waitedMs < TIMEOUT_MS; ) {
    if ((await world.waitUntilUp(signal)) === null) return;
    const startedAt = performance.now();
    const answer = await send(world, plan);
    if (answer?.status === 202) return recordAcceptance(world, fax, answer);
    const isRetryable =
      answer === null || RETRYABLE.includes(answer.status) || isRetryableConflict(plan, answer);
    if (!isRetryable) {
      world.complaints.push(`a fax was refused with ${answer.status}: ${answer.bytes.toString('utf8')}`);
      return;
    }
    await pause(RETRY_DELAY_MS);
    waitedMs += performance.now() - startedAt;
  }
  if (!signal.aborted) world.complaints.push(`the fax to ${fax.to} was not answered for two minutes`);
}

/**
 * Returns true for a conflict after which the client tries again: the preview is gone, as previews live in memory, or
 * the result is still uncertain.
 */
function isRetryableConflict({ isPreviewed }: ClientPlan, { status, body }: Answer): boolean {
  return status === 409 && (isPreviewed || /doubt|still/u.test(JSON.stringify(body)));
}

async function send(world: World, plan: ClientPlan): Promise<Answer | null> {
  const form = new FormData();
  form.append('to', plan.to);
  if (plan.isPreviewed) {
    const preview = await createPreview(world, plan);
    if (preview === null || !('id' in preview)) return preview;
    form.append('preview_id', preview.id);
  } else form.append('file', plan.file);
  return world.request('POST', '/fax', { form, headers: { 'Idempotency-Key': plan.key } });
}

async function createPreview(world: World, { file }: ClientPlan): Promise<{ id: string } | Answer | null> {
  const form = new FormData();
  form.append('file', file);
  const answer = await world.request('POST', '/fax/preview', { form });
  if (answer?.status !== 200) return answer;
  return { id: (answer.body as { preview_id: string }).preview_id };
}

interface AcceptedFax {
  readonly id: string;
  readonly delivery_version: number;
  readonly delivery_state: string;
  readonly document: { readonly sha256: string };
}

function recordAcceptance(world: World, fax: ClientFax, { body }: Answer): void {
  const { id, document } = body as AcceptedFax;
  if (fax.id !== null && fax.id !== id)
    world.complaints.push(`the fax to ${fax.to} was answered as ${fax.id} and as ${id}`);
  fax.id ??= id;
  fax.sha256 ??= document.sha256;
}

async function cancel(world: World, fax: ClientFax, afterMs: number): Promise<void> {
  await pause(afterMs);
  const now = (await world.request('GET', `/fax/${fax.id}`))?.body as AcceptedFax | undefined;
  if (now?.delivery_version === undefined) return;
  const json = { delivery_version: now.delivery_version };
  const answer = await world.request('POST', `/fax/${fax.id}/cancel`, { json });
  const { delivery_state } = (answer?.body ?? {}) as Partial<AcceptedFax>;
  if (answer?.status === 200 && delivery_state === 'cancelled') fax.isCancelled = true;
}
