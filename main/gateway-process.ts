import type { MessageEvent } from 'electron';
import {
  type Gateway,
  makeForOwnerOnly,
  type RunningGateway,
  readBoot,
  runGateway,
  startProblem,
  type UpdateBackup,
} from '../server/index.ts';
import { createGatewayChildren } from './gateway-children.ts';
import type { FromGateway, ToGateway } from './gateway-messages.ts';

// The entry of the gateway's own process: a busy or crashed gateway never freezes the window.

makeForOwnerOnly();

const NOT_RUNNING = 'Faxdesk is still starting.';

type StartOrder = Extract<ToGateway, { kind: 'start' }>;

const children = createGatewayChildren(send);
let running: RunningGateway | null = null;
let ending: Promise<never> | null = null;

// At shutdown, the operating system may signal this process before the application can send its message.
process.on('SIGTERM', () => void (ending ? process.exit(1) : quit()));
process.parentPort.on('message', ({ data, ports }: MessageEvent) => {
  children.handleMessage(data as ToGateway, ports);
  void handleOrder(data as ToGateway);
});

function send(message: FromGateway): void {
  process.parentPort.postMessage(message);
}

async function handleOrder(order: ToGateway): Promise<void> {
  switch (order.kind) {
    case 'start':
      return start(order);
    case 'quit':
      return quit();
    case 'suspend':
      await running?.current.pause();
      return send({ kind: 'suspended' });
    case 'resume':
      return running?.current.resume();
    case 'first-owner-key':
      return send({ kind: order.kind, id: order.id, key: (await running?.current.firstOwnerKey()) ?? null });
    case 'back-up':
      return send({ kind: order.kind, id: order.id, ...(await backUp()) });
    case 'process-started':
    case 'process-ended':
      return;
    default:
      order satisfies never;
  }
}

async function backUp(): Promise<UpdateBackup> {
  if (running === null) return { problem: NOT_RUNNING, isStopped: false, file: null };
  return running.stopAndBackUp().catch((error: unknown) => {
    process.stderr.write(`the backup before an installation failed: ${String(error)}\n`);
    return { problem: 'Something went wrong. The log has the details.', isStopped: true, file: null };
  });
}

/** Quits once, however often it is called: a submission under way is finished first. */
function quit(): Promise<never> {
  ending ??= (async () => {
    await running?.stop();
    return process.exit(0);
  })();
  return ending;
}

async function start(order: StartOrder): Promise<void> {
  try {
    running = await openOnFreePort(order);
    send({ kind: 'ready', url: running.current.url });
    await running.failed;
  } catch (error) {
    const sentence = startProblem(error);
    if (sentence === null) throw error;
    send({ kind: 'refused', sentence });
    process.exit(0);
  }
}

/** Also the one that runs after a restore. */
function reportSubmissions(gateway: Gateway): void {
  gateway.onSubmitting((submitting) => send({ kind: 'submitting', submitting }));
}

/** On a taken port the gateway of this window takes another: the window finds it, and nothing else needs it. */
async function openOnFreePort(order: StartOrder): Promise<RunningGateway> {
  const { dataFolder, port, dataKey, proofSecret, acceptEmptyStore, isNetworkOff } = order;
  const bootOptions = { dataFolder, acceptEmptyStore, isNetworkOff, ...(port === null ? {} : { port }) };
  const { options, environment } = await readBoot(bootOptions);
  const boot = { ...options, dataKey: options.dataKey ?? dataKey };
  // The default of an installation that begins here; later it is a setting as any other.
  const parts = {
    environment: { ENCRYPT_DOCUMENTS: 'true', ...environment },
    proofSecret,
    startDocumentProcess: () => children.startDocuments(),
    startTerminalProcess: () => children.startTerminal(),
  };
  try {
    return await runGateway({ boot, ...parts }, reportSubmissions);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    process.stderr.write(`Port ${boot.port} is taken by another program; the gateway takes a free one.\n`);
    return await runGateway({ boot: { ...boot, port: 0 }, ...parts }, reportSubmissions);
  }
}
