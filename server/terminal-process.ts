// Exports for the desktop application, which starts the process of a terminal in its own way.
export { closeComputer, serveTerminal } from './cli/terminal-session/serve-terminal.ts';
export type { FromTerminal, ToTerminal } from './features/terminal/terminal-process-port.ts';
