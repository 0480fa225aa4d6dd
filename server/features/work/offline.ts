export { type EvidenceCheck, verifyEvidence } from './evidence/verify-evidence.ts';
export { type HistoryVerification, verifyHistories } from './verify.ts';
