import { replaceEnvironment } from '../../config/env.ts';
import type { FromTerminal, ToTerminal } from '../../features/terminal/terminal-process-port.ts';
import { createSessionInput } from './session-input.ts';
import { createSessionOutput } from './session-output.ts';

export { closeComputer } from './no-computer.ts';

/** Connection of the process of a terminal to its gateway. */
interface TerminalChannel {
  send(message: FromTerminal): void;
  onMessage(listener: (message: ToTerminal) => void): void;
}

/**
 * Serves the commands of one terminal in this process, which does nothing else: its standard streams become those of the
 * terminal, and its environment holds the address and key that commands use.
 */
export function serveTerminal(channel: TerminalChannel): void {
  const output = createSessionOutput((text) => channel.send({ kind: 'output', text }));
  const input = createSessionInput();

  async function start({ url, key }: Extract<ToTerminal, { kind: 'start' }>): Promise<void> {
    replaceEnvironment({ FAXDESK_URL: url, FAXDESK_API_KEY: key });
    for (const name of ['stdout', 'stderr']) Object.defineProperty(process, name, { value: output });
    Object.defineProperty(process, 'stdin', { get: () => input.ofCommand });
    // Loaded here, once commands find the streams of the terminal.
    const { readCommands } = await import('./read-commands.ts');
    await readCommands({ input, output });
    channel.send({ kind: 'done' });
  }

  channel.onMessage((message) => {
    switch (message.kind) {
      case 'start':
        output.resize(message);
        return void start(message);
      case 'input':
        return input.type(message.text);
      case 'size':
        return output.resize(message);
      case 'taken':
        return output.taken(message.length);
      default:
        message satisfies never;
    }
  });
}
