/**
 * Loaded before the command line of a gateway under trial (`--import`). Its clock runs ahead of the real one by an
 * offset that its parent process sets, at the start and later. When its disk is under trial, so is that of the process
 * of documents, which otherwise has an empty environment. Nothing else of the gateway is changed.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

let aheadMs = Number(process.env['ENDURE_AHEAD_MS'] ?? 0);
delete process.env['ENDURE_AHEAD_MS'];

// The gateway may run as it was built, in which no single file can be replaced: the clock of the whole process jumps.
const { now } = Date;
Date.now = () => now() + aheadMs;

process.on('message', (message: { aheadMs: number }) => {
  aheadMs = message.aheadMs;
});
// Whoever tries it is gone.
process.on('disconnect', () => process.exit(1));
// Hearing keeps no process that would otherwise end.
process.channel?.unref();

const diskEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.startsWith('DISK_FAULTS_')),
);
if (diskEnvironment['LD_PRELOAD'] !== undefined) {
  const { spawn } = childProcess;
  childProcess.spawn = ((file: string, words: string[], options: childProcess.SpawnOptions) =>
    spawn(file, words, { ...options, env: { ...options.env, ...diskEnvironment } })) as typeof spawn;
  syncBuiltinESMExports();
}
