/**
 * The name of the advisory lock of those who write shares to this person, or mark the account for an import (rules 10.7,
 * 12.3n).
 */
export const receiverLock = (receiverId: string): string => `shares to ${receiverId}`;
