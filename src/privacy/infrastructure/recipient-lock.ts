/**
 * The name of the advisory lock of those who write shares to this person, or mark the account for an import (rules 10.7,
 * 12.3n).
 */
export const recipientLock = (recipientId: string): string => `shares to ${recipientId}`;
