export type { AmiCall, CallEnd } from './call.ts';
export { AmiEmulator, type CallPlan, startAmiEmulator } from './emulator.ts';
