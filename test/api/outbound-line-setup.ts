import { expect } from 'vitest';
import { type AmiEmulator, startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { ManualClock } from '../setup/manual-clock.ts';

/** A gateway that sends over the phone line, in front of an emulated engine. */
export interface LineGateway {
  readonly gateway: TestGateway;
  readonly engine: AmiEmulator;
}

/** Settings that connect the gateway to an engine. */
export const lineSettings = (engine: AmiEmulator) => ({
  FAX_BACKEND: 'sip',
  TELEPHONY_PORT: String(engine.port),
  TELEPHONY_PASSWORD: engine.account.password,
  TRUNK_HOST: 'sip.example.com',
  TRUNK_USER: 'office1',
  TRUNK_PASSWORD: 'trunk-secret',
  FAX_NUMBER: '+12025550100',
});

export async function startLineGateway(settings: Record<string, string> = {}): Promise<LineGateway> {
  const clock = new ManualClock();
  const engine = await startAmiEmulator(() => clock.now());
  const gateway = await startTestGateway({ clock, settings: { ...lineSettings(engine), ...settings } });
  return { gateway, engine };
}

/** Sends a fax and has its call begun; answers the fax and the id of its call. */
export async function callFor(
  { gateway, engine }: LineGateway,
  to?: string,
): Promise<{ fax: Fax; call: string }> {
  const { id } = await gateway.send(to === undefined ? {} : { to });
  await gateway.processAll();
  const fax = await gateway.fax(id);
  const call = engine.calls.at(-1)?.id ?? '';
  expect(fax.attempt?.id).toBe(call);
  return { fax, call };
}
