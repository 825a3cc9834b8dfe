import { ConfigurationError } from '../config/config.js';
import { DirectoryUnusable, ensurePrivateDirectory } from '../libs/private-directory.js';

/**
 * Makes a directory below DATA_DIR where it is missing, readable by its owner only, and checks that it can be written.
 * @throws ConfigurationError, one line for the operator
 */
export async function ensureDirectory(directory: string): Promise<void> {
  try {
    await ensurePrivateDirectory(directory);
  } catch (error) {
    throw asConfigurationError(error);
  }
}

/** The error for the operator where a directory of ours cannot be used; any other error as it is. */
export const asConfigurationError = (error: unknown): unknown =>
  error instanceof DirectoryUnusable
    ? new ConfigurationError(`DATA_DIR cannot be used, ${error.message}`)
    : error;
