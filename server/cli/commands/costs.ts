import type { Command } from 'commander';
import { addRateCardCommands } from './rate-cards.ts';

export function addCostsCommands(program: Command): void {
  const costs = program.command('costs').description('What faxes cost.');
  addRateCardCommands(costs);
}
