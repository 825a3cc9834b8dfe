/** Generated from docs/openapi.json by `npm run client:types`; not to be edited. */
export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process runs
         * @description Public. It does not check the database: a process that answers need not be restarted.
         */
        get: operations["Health_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is ready
         * @description Public. It checks the database, and reports the state of Redis if one is configured.
         */
        get: operations["Health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics in the Prometheus text format
         * @description Needs `Authorization: Bearer <METRICS_TOKEN>`; without a configured METRICS_TOKEN it answers only unproxied connections from the same machine. Aggregates only: no ids, no names, nothing about any person.
         */
        get: operations["Metrics_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register
         * @description Requires no log-in. E-mail address and username are unique without regard to case; you are logged in at once.
         */
        post: operations["Auth_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description After ten failures for one account each further attempt has to wait (429), 5 seconds and then twice as long each time, at most 15 minutes. Devices and networks that logged in before do not wait for strangers. 100 failures in 15 minutes from one address are answered with 429, except to a device that sends `earlier_refresh_token`. For an account with a second factor a right password is answered with 401 `SECOND_FACTOR_REQUIRED` and, in `details`, a `challenge` for POST /auth/login/second-factor and the `methods` that can answer it.
         */
        post: operations["Auth_logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for new tokens
         * @description Each refresh token is valid once. Using one again ends its log-in with all tokens. A log-in ends when it was not refreshed for 30 days, and after 90 days in any case.
         */
        post: operations["Auth_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends this log-in: its refresh token at once, its access tokens with their next request.
         */
        post: operations["Auth_logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your account
         * @description Your own account with its e-mail address, second factors and quotas, which nobody else can see. The same quotas are in the header `X-Quota` of answers to your own writes.
         */
        get: operations["Auth_me"];
        put?: never;
        post?: never;
        /**
         * Erase the account and everything in it
         * @description Permanently, at once, and without recovery: export first. Tokens, apps and keys end with the answer. Groups are left by their own rules, and keep what others are in; those with no other member are erased. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        delete: operations["Portability_erase"];
        options?: never;
        head?: never;
        /**
         * Change username or visibility
         * @description Omitted fields stay unchanged. A profile that is not public still has a name that others can look up. Turning `is_public` on needs a log-in from the last five minutes.
         */
        patch: operations["Auth_updateMe"];
        trace?: never;
    };
    "/api/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Ends every log-in of this account, the calling one included: access tokens are refused from the next request on.
         */
        post: operations["Auth_changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your log-ins
         * @description Your log-ins that can still be used. The network is coarse, and nobody else sees any of it.
         */
        get: operations["LogIns_list"];
        put?: never;
        post?: never;
        /**
         * Log out everywhere
         * @description Ends every log-in of this account, the calling one included: access tokens are refused from the next request on.
         */
        delete: operations["LogIns_endAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{auth_session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a log-in
         * @description Its refresh token is invalid at once, its access tokens from the next request on.
         */
        delete: operations["LogIns_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove your identity again
         * @description For operations that answer 401 `REAUTHENTICATION_REQUIRED`. The log-in stays the same and counts as fresh for five minutes; the refresh token stays valid. Wrong passwords count like failed log-ins. For an account with a second factor a right password is answered with 401 `SECOND_FACTOR_REQUIRED`, as by POST /auth/login; continue with POST /auth/reauthenticate/second-factor.
         */
        post: operations["LogIns_reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password/reset-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a link to choose a new password
         * @description The answer is the same with or without an account. An e-mail is sent to the address if it is the verified one of an account, at most five an hour; a newer link ends the earlier ones. 409 `MAIL_NOT_CONFIGURED` where the service sends no e-mails.
         */
        post: operations["PasswordResets_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with the link from an e-mail
         * @description The link is valid once and for an hour. Ends every log-in of the account and removes its passkeys: access tokens are refused from the next request on. An authenticator app stays.
         */
        post: operations["PasswordResets_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a change of your e-mail address
         * @description An e-mail with a link goes to the new address, at most five an hour (429); nothing changes before the link is used. The answer is the same for a free and a taken address. A newer request and a new password end the link. 409 `MAIL_NOT_CONFIGURED` where the service sends no mail. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Email_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the e-mail address with the link from an e-mail
         * @description The link is valid once and for a day. The address is the verified one of the account from now on, and the old one is sent an e-mail; if it was verified, with a link for POST /auth/email/undo. 409 `EMAIL_EXISTS` when another account has the address, or can return to it.
         */
        post: operations["Email_confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the old e-mail address with the link from an e-mail
         * @description The link is valid once and for seven days, even if the account’s address and password have changed since. Sets a new password and ends every log-in and passkey, and the links of changes that came after.
         */
        post: operations["Email_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a link to verify your e-mail address
         * @description An e-mail was sent when you registered; this sends another one, at most five an hour (429), and ends the link of the earlier one. 409 `INVALID_STATE_TRANSITION` when the address is verified, `MAIL_NOT_CONFIGURED` where the service sends no e-mails.
         */
        post: operations["Email_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an e-mail address with the link from an e-mail
         * @description The link is valid once and for a day. No log-in is needed.
         */
        post: operations["Email_verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the page behind the links in e-mails
         * @description When a button is pressed, the page sends the text after `#` in the link to the endpoint of the link’s purpose.
         */
        get: operations["LinkPage_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/link.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the script of the page behind the links in e-mails
         * @description The same for everybody.
         */
        get: operations["LinkPage_script"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a log-in with the second factor
         * @description After POST /auth/login answered 401 `SECOND_FACTOR_REQUIRED`. A challenge lasts five minutes and takes five answers; after `INVALID_CHALLENGE` begin again with the password. Wrong answers count like failed log-ins.
         */
        post: operations["SecondFactors_logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reauthenticate/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish proving your identity again
         * @description After POST /auth/reauthenticate answered 401 `SECOND_FACTOR_REQUIRED`, in the same session. Wrong answers count like failed log-ins.
         */
        post: operations["SecondFactors_reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to enrol an authenticator app
         * @description Nothing changes before POST /auth/totp/confirm, which must come within ten minutes. The secret is not shown again; beginning again makes another one. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["SecondFactors_beginTotp"];
        /**
         * Remove the authenticator app
         * @description Send a code of it, or a recovery code. The recovery codes are removed with it, and the password alone logs in again. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        delete: operations["SecondFactors_removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol the authenticator app with its first code
         * @description From now on the password alone is not sufficient to log in, and all your other sessions end. The recovery codes stand in for the app when it is lost. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["SecondFactors_confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description All earlier codes are invalid from now on. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["SecondFactors_replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Nothing changes before POST /auth/passkeys, which must come within five minutes. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Passkeys_options"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * @description All of them, at most 20.
         */
        get: operations["Passkeys_list"];
        put?: never;
        /**
         * Add a passkey
         * @description Send the credential that the browser made. A passkey logs you in without your password and without a code. All your other sessions end. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Passkeys_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description It can no longer log in, and all your other sessions end. Your password stays. Delete it on your device as well. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        delete: operations["Passkeys_remove"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description The name is for yourself; your device keeps its own.
         */
        patch: operations["Passkeys_rename"];
        trace?: never;
    };
    "/api/v1/auth/login/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a log-in by passkey
         * @description The same for everybody: the person chooses their account on the device. Continue with POST /auth/login/passkey within five minutes.
         */
        post: operations["PasskeyLogIns_logInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with a passkey
         * @description The answer equals that of POST /auth/login. The device has verified the person, so no second factor is needed. Each challenge is valid for one answer; after `INVALID_CHALLENGE` begin again. Answers that are refused count like failed log-ins.
         */
        post: operations["PasskeyLogIns_logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reauthenticate/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to prove your identity again by passkey
         * @description Continue with POST /auth/reauthenticate/passkey in the same session, within five minutes.
         */
        post: operations["PasskeyLogIns_stepUpOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reauthenticate/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove your identity again by passkey
         * @description The answer equals that of POST /auth/reauthenticate, without the password and without a second factor. Answers that are refused count like failed log-ins.
         */
        post: operations["PasskeyLogIns_stepUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the page for passkeys
         * @description A page for people to log in with a passkey or the password, and to add and remove passkeys.
         */
        get: operations["PasskeyPage_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeys.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the script of the page for passkeys
         * @description The same for everybody.
         */
        get: operations["PasskeyPage_script"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of access tokens
         * @description Anyone can use them to verify access tokens (RFC 7517).
         */
        get: operations["KeySet_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user by username
         * @description Only the exact name matches; without a match the list is empty. There is no list of all users.
         */
        get: operations["Users_byUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Id, name and whether the profile is public; e-mail addresses are never shown to others.
         */
        get: operations["Users_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your apps
         * @description The apps that you registered as their developer, without their keys.
         */
        get: operations["Apps_list"];
        put?: never;
        /**
         * Register an app
         * @description The answer carries the secret of its first key, which is shown only then.
         */
        post: operations["Apps_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the calling app
         * @description For keys of the app. A user key belongs to a user: it is shown the app as in the preview of an authorization, without what concerns the developer.
         */
        get: operations["Apps_current"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{app_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of your apps
         * @description Only for its developer; for everybody else it counts as absent.
         */
        get: operations["Apps_get"];
        put?: never;
        post?: never;
        /**
         * Delete an app
         * @description Ends its keys and its authorizations.
         */
        delete: operations["Apps_delete"];
        options?: never;
        head?: never;
        /**
         * Change an app
         * @description A smaller request takes effect at once. A request beyond the approved one takes effect for each user when they approve again. More permissions, further redirect URIs, another client level and switching the app on again need a log-in not older than five minutes.
         */
        patch: operations["Apps_update"];
        trace?: never;
    };
    "/api/v1/apps/{app_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of an app, without their secrets
         * @description For the developer of the app: beginning and last four characters of each, never the key.
         */
        get: operations["AppKeys_list"];
        put?: never;
        /**
         * Create a key
         * @description The key is shown in this answer and never again. Several can be valid at once, so that one can replace another. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["AppKeys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{app_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a key
         * @description For the developer of the app. It stops working with the next request.
         */
        delete: operations["AppKeys_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/third-party/{third_party_id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the app's own use of the service
         * @description The number of requests, by endpoint and by time, to the app itself: a user key is refused. Counted after the answers; stored for 90 days.
         */
        get: operations["AppMetrics_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the authorization that the app is using
         * @description The requested, the granted and the effective permissions.
         */
        get: operations["CurrentAuthorization_current"];
        put?: never;
        post?: never;
        /**
         * Give up access to the user
         * @description The app ends its own authorization: from the next request on it sees nothing of this user.
         */
        delete: operations["CurrentAuthorization_giveUp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/current/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the authorizations of the calling app
         * @description A user key shows its own only.
         */
        get: operations["CurrentAuthorization_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview an authorization
         * @description The app, what it requests, and which of your profiles grant that. Send its `request_version` when you approve.
         */
        get: operations["Authorizations_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your authorizations
         * @description All your authorizations, past and present, with the approved permissions, the names of app and profile, and the last use; nobody else sees them.
         */
        get: operations["Authorizations_list"];
        put?: never;
        /**
         * Authorize an app
         * @description The profile must grant everything that the app requests. If the app is already authorized, its profile and ceiling are replaced: 200 instead of 201, without a user key. `request_version` names the request that you were shown; if the app has changed since, it is 409 `REQUEST_CHANGED` and nothing is written. Without it, the request of your last preview counts. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Authorizations_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations/{authorization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an authorization
         * @description Only your own; others’ count as absent.
         */
        get: operations["Authorizations_get"];
        put?: never;
        post?: never;
        /**
         * Revoke an authorization
         * @description The next request of the app is refused.
         */
        delete: operations["Authorizations_revoke"];
        options?: never;
        head?: never;
        /**
         * Change an authorization
         * @description Sets another profile or another end, or leaves out scopes. This can renew an expired authorization, not a revoked one. Another profile and a later end need a log-in from the last five minutes.
         */
        patch: operations["Authorizations_update"];
        trace?: never;
    };
    "/api/v1/authorizations/{authorization_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of an authorization
         * @description The devices that are connected by OAuth, the last used first; with `status=ended` those that no longer are, the last ended first, for 90 days. Keys are no sessions.
         */
        get: operations["AppSessions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorizations/{authorization_id}/sessions/{app_session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description The next request of the device is refused. The authorization and its other devices stay.
         */
        delete: operations["AppSessions_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your exposure profiles
         * @description Your own, with all their rules; apps never see them.
         */
        get: operations["ExposureProfiles_list"];
        put?: never;
        /**
         * Create an exposure profile
         * @description A profile with only a name allows nothing. Names of tags are resolved when it is saved.
         */
        post: operations["ExposureProfiles_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your default exposure profile
         * @description Made from the transparent template if you have none.
         */
        get: operations["ExposureProfiles_getDefault"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/from-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an exposure profile from a template
         * @description `transparent` allows everything, `restrictive` only the names of tags, in least detail. It never becomes the default.
         */
        post: operations["ExposureProfiles_createFromTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/{profile_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an exposure profile
         * @description Only your own; others’ count as absent.
         */
        get: operations["ExposureProfiles_get"];
        /**
         * Change an exposure profile
         * @description Takes effect on the next request of every app. Fields that are present replace as a whole. More rights through a profile that an app is authorized with, or that is shared with a group, need a log-in from the last five minutes.
         */
        put: operations["ExposureProfiles_update"];
        post?: never;
        /**
         * Delete an exposure profile
         * @description Not the default one, and not while authorizations through it are active. Ended ones go with it.
         */
        delete: operations["ExposureProfiles_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/{profile_id}/yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an exposure profile as YAML
         * @description Only your own, as one YAML document with the same fields.
         */
        get: operations["ExposureProfiles_getYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/{profile_id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the access of an app to a node
         * @description Lists each rule with its verdict, and the first that decided, for reading, proposing, editing and deleting; then the outcome for each field. The rules are the parts of the very expression that decides.
         */
        get: operations["Explanations_explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/{profile_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the access of an app with this profile
         * @description Counts the nodes that each verb reaches, and shows a page of them as the app would see them. With an unsaved edit, or with another profile, it also lists gained and lost nodes. Nothing is changed, and no app is authorized.
         */
        post: operations["Explanations_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposure-profiles/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the access of an app with an unsaved profile
         * @description Answers what the preview of a saved profile with these rules would, so that a profile can be drawn up before it exists. Nothing is stored.
         */
        post: operations["Explanations_previewDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/graph/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the graph at a point in time
         * @description Contains own nodes that existed at that time, in their state of that time, and the relationships between them. There is no limit: the answer is sent as it is read, without a `Content-Length`.
         */
        get: operations["GraphSnapshot_snapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get nodes that may be the same thing as a node
         * @description Nodes of the same owner and view that you can read, with the same or nearly the same title as you are shown it, or, where both have embeddings of one model that may be compared, with a similar meaning.
         */
        get: operations["SimilarNodes_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 100 nodes
         * @description One transaction. 201 when all were created, else 200: what is wrong with one node undoes no other.
         */
        post: operations["NodesBulk_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 nodes
         * @description Nodes that are unknown or invisible are errors of the answer, as are those that may not be deleted.
         */
        post: operations["NodesBulk_bulkDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 100 nodes by their ids
         * @description Own nodes, and those that others share with you, as GET /nodes/:node_id finds each of them. What you may not see is left out, like what is absent.
         */
        post: operations["NodeLookups_lookUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the nodes of a list by tag, type, level, schema and month
         * @description Counts the nodes that GET /nodes lists with the same filters, own and shared ones, by what the list shows of them. The most frequent values of each facet are named.
         */
        get: operations["NodeFacets_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List nodes
         * @description Lists the nodes that the caller can read, own and shared ones, and their total number. Filters that match nothing give an empty list.
         */
        get: operations["Nodes_list"];
        put?: never;
        /**
         * Create a node
         * @description In your own graph, or in that of the user an app acts for: then every tag must be granted by `create`, the schema by `schemas.write`. The answer is cut like a read. With `on_duplicate` it is 200 where the node exists.
         */
        post: operations["Nodes_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count nodes
         * @description Counts nodes with any of the schemas and any of the tags.
         */
        get: operations["Nodes_count"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a node
         * @description An own node, or one that somebody shares with you, as the profile shows it. What you may not see reads as absent.
         */
        get: operations["Nodes_get"];
        /**
         * Change fields of a node
         * @description Fields that are present replace, `metadata` as a whole; null clears. A change of nothing makes no version.
         */
        put: operations["Nodes_replace"];
        post?: never;
        /**
         * Delete a node
         * @description It can be restored.
         */
        delete: operations["Nodes_delete"];
        options?: never;
        head?: never;
        /**
         * Change a node by a JSON merge patch
         * @description RFC 7396: objects are merged, null removes.
         */
        patch: operations["Nodes_merge"];
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted node
         * @description For the owner, and apps that may delete it. A node that is not deleted stays unchanged.
         */
        post: operations["Nodes_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag a node
         * @description Answers 201 for a new link, and 200 for an existing one, which stays unchanged.
         */
        post: operations["NodeTags_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/tags/{tag_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a tag from a node
         * @description Removing the last tag deletes the node: `node_deleted` is true then. A caller from whom tags may be hidden (without `discover.allow_all`) receives 400 `LAST_TAG_REMOVAL` for the last one that they know.
         */
        delete: operations["NodeTags_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file as a node
         * @description The service detects kind and format. Apps need the permission to write the raw-file schema.
         */
        post: operations["NodeFiles_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a download link for a file
         * @description The link works for 5 minutes without other credentials; your permission is checked again when it is used.
         */
        get: operations["NodeFiles_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/neighborhood": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the nodes around a node, and the relationships between them
         * @description Breadth first along the relationships that you can read, in either direction and of both graph views: nearest nodes first, then those met by newer relationships. Everything is in the graph of the node’s owner.
         */
        get: operations["Neighborhood_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the relationships of a node that you can read, newest first
         * @description Lists both graph views. To page through more than are listed, use GET /relationships.
         */
        get: operations["NodeRelationships_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/search/vector": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find nodes by an embedding
         * @description Finds the exact most similar ones of all readable nodes with an embedding of the same length. For apps, nodes whose title, value or metadata a transformation of the profile concerns are left out; below full detail, all are.
         */
        post: operations["Search_vector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find nodes by words, by an embedding, or by both
         * @description Both halves are exact and are fused by their ranks. Own nodes are searched, and those that others share with you. Words are searched in title, value, type, the texts in `metadata.properties` and the names of tags, as the caller is shown them: first come the nodes with most of the different words of the query, then those in which they are most prominent, then the newest. Where the owner has switched it on, a query without `embedding` is also searched by its vector, which the service computes.
         */
        post: operations["Search_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/batch/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set embeddings of up to 100 nodes
         * @description What is wrong with one item undoes no other. Nodes that are unknown or invisible are errors of the answer.
         */
        put: operations["Embeddings_putMany"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/embedding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a node's embedding
         * @description Replaces the one of the same model and length; others stay. The node itself does not change: no version, no entry of a sync. With `If-Match` it is set only while the node is the version that it was computed from.
         */
        put: operations["Embeddings_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/graph/embedding-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get whether the service computes vectors of your texts
         * @description The profile that decides which texts are sent, how far the work is, and the host and model that the operator has set.
         */
        get: operations["EmbeddingSettings_get"];
        /**
         * Set whether the service computes vectors of your texts
         * @description With a profile, title and value of the nodes that it shows in full are sent to the operator's service for vectors, and so are the queries of searches in your graph; all else stays here. Null switches it off and removes what was made. Switching on, or to another profile, requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`.
         */
        put: operations["EmbeddingSettings_set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the relationships that you can read, newest first
         * @description A relationship is readable when both its ends are; the total counts no others.
         */
        get: operations["Relationships_list"];
        put?: never;
        /**
         * Connect two nodes
         * @description You need edit on the node it starts from and read on the other; edit on both if bidirectional.
         */
        post: operations["Relationships_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/relationships/{relationship_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a relationship
         * @description Readable when both its ends are; otherwise it reads as absent.
         */
        get: operations["Relationships_get"];
        /**
         * Change a relationship
         * @description Absent fields stay unchanged, null clears. The two ends and `bidirectional` cannot be changed.
         */
        put: operations["Relationships_update"];
        post?: never;
        /**
         * Delete a relationship
         * @description Deletes only this one: the edge in the other direction stays.
         */
        delete: operations["Relationships_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/third-party/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a tag for the user of the key
         * @description A user key names its user, and an app key with exactly one active authorization names that user; otherwise X-User-ID names the user.
         */
        post: operations["ThirdPartyTags_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags by name
         * @description Lists your tags, tags on nodes that others share with you, or tags that an app may discover. Apps that may only discover a tag see its id and name. Of each sharer the first 1,000 tags count, fewer where more than 20 people share: `truncated`.
         */
        get: operations["Tags_list"];
        put?: never;
        /**
         * Create a tag
         * @description Apps need the right to create tags that do not exist yet (`create.allow_new`), and to discover every tag (`discover.allow_all`): names are unique, so others would learn if a hidden tag has the name. For the owner, `confusable_with` names an existing tag whose name looks the same.
         */
        post: operations["Tags_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 tags
         * @description Deletes all of the tags that exist for you, or none: 403 when you may not delete one of them.
         */
        post: operations["Tags_deleteMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tag_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tag
         * @description Apps that may only discover the tag see its id and name. A tag that you may not know reads as absent.
         */
        get: operations["Tags_get"];
        /**
         * Change a tag
         * @description Absent fields stay unchanged, null clears. Nodes keep the tag under its new name.
         */
        put: operations["Tags_update"];
        post?: never;
        /**
         * Delete a tag
         * @description Its nodes stay; tags below it become top-level tags.
         */
        delete: operations["Tags_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tag_id}/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the nodes with a tag, last changed first
         * @description The list and the total contain only nodes that the caller can read.
         */
        get: operations["TagContents_listNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags/{tag_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files with a tag, last changed first
         * @description The list and the total contain only files that the caller can read.
         */
        get: operations["TagContents_listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schemas that you can see, newest first
         * @description Lists public schemas, the service's own, and private ones of yours or of the calling app.
         */
        get: operations["Schemas_list"];
        put?: never;
        /**
         * Create a schema
         * @description Apps need `schemas.write` for any schema; the user owns the schemas that an app creates for them.
         */
        post: operations["Schemas_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the categories of the schemas that you can see
         * @description Lists categories of public schemas, of the service's own, and of private ones that the caller can see.
         */
        get: operations["Schemas_categories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/uri/{schema_uri}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schema or an old version of it by its URI
         * @description Answers with the newest version unless another is requested. A private schema of another user reads as absent.
         */
        get: operations["Schemas_byUri"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/{schema_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schema
         * @description Answers with the newest version. A private schema of another user reads as absent.
         */
        get: operations["Schemas_get"];
        /**
         * Change a schema
         * @description Makes a new version, unless nothing changes. Nodes keep the version they were validated against until their metadata or schema changes. For the owner, and the app that created it. Showing a schema to more readers than before needs a log-in from the last five minutes.
         */
        put: operations["Schemas_update"];
        post?: never;
        /**
         * Delete a schema
         * @description Nodes and schemas that refer to it keep it; new ones cannot refer to it.
         */
        delete: operations["Schemas_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/{schema_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a schema
         * @description For a schema that the caller can see, newest first.
         */
        get: operations["Schemas_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/{schema_id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate metadata against a schema
         * @description Nothing is stored. `metadata.properties` is validated if it is an object, otherwise `metadata` itself.
         */
        post: operations["Schemas_validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{file_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Supports Range and If-Range; the ETag is the SHA-256 of the content. Requires detail level `full`.
         */
        get: operations["FileDownloads_download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file by a link from GET /nodes/{node_id}/download
         * @description Answers with what the caller who requested the link may have now. Supports Range and If-Range.
         */
        get: operations["FileDownloads_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files, last changed first
         * @description Filters use the values of a file as you are shown them.
         */
        get: operations["RawFiles_list"];
        put?: never;
        /**
         * Upload a file
         * @description Apps need the permission to write the raw-file schema.
         */
        post: operations["RawFiles_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the record of a file
         * @description The record has no content; at detail minimal it has only id, types and times. A file is a node: one that you may not see reads as absent.
         */
        get: operations["RawFiles_get"];
        /**
         * Rename a file or change its metadata
         * @description Absent fields stay unchanged. The facts that the service records about the file are read-only.
         */
        put: operations["RawFiles_update"];
        post?: never;
        /**
         * Delete a file
         * @description Its node is deleted too, and can be restored.
         */
        delete: operations["RawFiles_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{file_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag a file
         * @description Answers 201 for a new link, and 200 for an existing one.
         */
        post: operations["RawFiles_addTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/raw-files/{file_id}/tags/{tag_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a tag from a file
         * @description Removing the last tag deletes the file: `node_deleted` is true then. A caller from whom tags may be hidden (without `discover.allow_all`) receives 400 `LAST_TAG_REMOVAL` for the last one that they know.
         */
        delete: operations["RawFiles_removeTag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of all nodes
         * @description Newest first. A version is listed if the caller can read the node now, and that version as it was then. The owner can read the history of a deleted node.
         */
        get: operations["NodeHistory_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List versions of a node
         * @description Newest first. A version is listed if the caller can read the node now, and that version as it was then. The owner can read the history of a deleted node.
         */
        get: operations["NodeHistory_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/history/at-time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a node at a point in time
         * @description The version of that time. 404 before the node was created and while it was deleted. A version is listed if the caller can read the node now, and that version as it was then. The owner can read the history of a deleted node.
         */
        get: operations["NodeHistory_atTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/history/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a node
         * @description Includes the node as it was then. A version is listed if the caller can read the node now, and that version as it was then. The owner can read the history of a deleted node.
         */
        get: operations["NodeHistory_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contributions to a node
         * @description One is active for each field and path; a newer write supersedes it. Includes fields that the caller is shown, from versions that the caller can read. A rejected contribution is listed beside the active one; contributions that came with a merge are `merged`.
         */
        get: operations["Contributions_ofNode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{node_id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents that contributed to a node
         * @description Includes fields that the caller is shown, from versions that the caller can read. A rejected contribution is listed beside the active one; contributions that came with a merge are `merged`.
         */
        get: operations["Contributions_ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contributions of an agent
         * @description Covers all nodes that the caller can read. An unknown agent has no contributions. Includes fields that the caller is shown, from versions that the caller can read. A rejected contribution is listed beside the active one; contributions that came with a merge are `merged`.
         */
        get: operations["Contributions_ofAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description An app sees those that it began, and those that touched a node it can read.
         */
        get: operations["Sessions_list"];
        put?: never;
        /**
         * Begin a session
         * @description A write that names an unknown session in `agent_metadata.session_id` begins it as well. A repeated `external_id` answers with the existing session.
         */
        post: operations["Sessions_begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session
         * @description An app sees the sessions that it made and those that touched a node it can read; its statistics count readable nodes only.
         */
        get: operations["Sessions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the state of a session
         * @description created → processing, completed or failed; processing → completed or failed. Only the user and the app that began the session may do this.
         */
        patch: operations["Sessions_advance"];
        trace?: never;
    };
    "/api/v1/analytics/agent-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of agents
         * @description Counts only nodes that the caller can read.
         */
        get: operations["Analytics_agentStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/history-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of the history
         * @description Counts only changes of nodes, and versions of them, that the caller can read.
         */
        get: operations["Analytics_historyStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes since a cursor
         * @description A client that applies all pages in order holds exactly what a full read would give: a created or updated node replaces the one with its id, a deleted one is removed. Without a cursor everything is sent, as creations. With `include`, the same holds for relationships (`GET /relationships?access=owned`) and tags (`GET /tags?access=owned`).
         */
        get: operations["Sync_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sync/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of replicas
         * @description An app's position moves when it presents a cursor, not when a page is sent.
         */
        get: operations["Sync_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sync/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a ticket for a stream
         * @description A browser's `EventSource` sends no headers: `GET /sync/stream?ticket=…` opens one stream with the rights of this request, within a minute.
         */
        post: operations["Sync_ticket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sync/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream changes
         * @description Sends server-sent events: each event is a page of `GET /sync`, its id is the cursor. The stream ends when access ends or changes; connect again to continue. A ticket (`POST /sync/ticket`) opens it without any other credential.
         */
        get: operations["Sync_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll events of proposals
         * @description Oldest first, 30 days back. An app receives the events of its own proposals for this user, the user those of all apps.
         */
        get: operations["ProposalEvents_poll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List proposals, newest first
         * @description An app receives its own for this user, the user those of all apps.
         */
        get: operations["Proposals_list"];
        put?: never;
        /**
         * Propose a change
         * @description By an app, for its user. It begins as PENDING; PATCH it to READY_FOR_APPROVAL when it is complete. With `status: "READY_FOR_APPROVAL"` it is ready at once, if it could be applied.
         */
        post: operations["ProposalSubmissions_submit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose up to 50 changes
         * @description Each is judged alone, as by POST /proposals: a refused one refuses no other, and all others are stored in one transaction. Together they have at most 100 actions about 200 existing nodes. 201 when all were created, else 200.
         */
        post: operations["ProposalSubmissions_submitAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/{proposal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a proposal
         * @description An app sees the proposals that it made for this user; the user sees all. Others count as absent.
         */
        get: operations["Proposals_get"];
        put?: never;
        post?: never;
        /**
         * Delete a proposal
         * @description By its app or the user; not once it is APPROVED or APPLIED.
         */
        delete: operations["Proposals_delete"];
        options?: never;
        head?: never;
        /**
         * Enrich a proposal, or declare it ready
         * @description By its app, in PENDING or READY_FOR_APPROVAL. Other content raises `revision` and makes it PENDING again, unless the request sets the status. A proposal that could never be applied does not become ready.
         */
        patch: operations["Proposals_enrich"];
        trace?: never;
    };
    "/api/v1/proposals/{proposal_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a proposal
         * @description The whole, or action by action. `expected_revision` ensures that it is the revision you have reviewed. Without it the revision that you were last shown counts: if it was revised since, the answer is 409. With `apply` it is also applied, in the same transaction: if that is refused, it is not approved either.
         */
        post: operations["Proposals_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/{proposal_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a proposal
         * @description By the user for whom it was made, until it is applied: rejecting an approved one takes the approval back. Nothing of it is applied.
         */
        post: operations["Proposals_reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/{proposal_id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply an approved proposal
         * @description Once, by its app or the user, with the authority of the user. Actions that cannot be applied are listed in `errors` and undo only those about the same nodes that show something together with them; FAILED when nothing could be applied.
         */
        post: operations["Proposals_apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/{proposal_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a proposal with the current graph
         * @description Before and after for each node, field and relationship that you may read; conflicts are marked. An answer about one action or entity is an excerpt: an approval without `expected_revision` does not count it as shown.
         */
        get: operations["ProposalReview_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/{proposal_id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revert an applied proposal
         * @description Writes new versions, once. Later changes by others stay and are listed in `not_undone`, field by field.
         */
        post: operations["ProposalReview_revert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proposals/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to proposal events
         * @description A second call replaces events and address. With a JWT, additional events or another address need a log-in from the last five minutes.
         */
        post: operations["ProposalSubscriptions_subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sharing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share with another user
         * @description Shares everything you own, nodes with certain tags, or single nodes. The recipient finds the nodes in the ordinary node endpoints from the next request on. The rights of several shares add up. Scopes `all` and `specific_tags`, and more than 20 single nodes, need a log-in from the last five minutes.
         */
        post: operations["Sharing_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sharing/outgoing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the shares that you give, newest first
         * @description The list includes revoked and expired shares.
         */
        get: operations["Sharing_outgoing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sharing/incoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the shares that you receive, newest first
         * @description Lists shares by others that are not revoked, without those of users whom you have blocked.
         */
        get: operations["Sharing_incoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sharing/incoming/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove all shares that you receive from a user
         * @description Revokes them for both, ends their re-shares and your follow of this user. New shares are not prevented: block the user for that.
         */
        delete: operations["Sharing_revokeReceived"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sharing/{share_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a share
         * @description For the sharer and the recipient; a revoked share is for the sharer only.
         */
        get: operations["Sharing_get"];
        /**
         * Change a share
         * @description For the sharer. The share of a follow stays read-only. More rights, more tags or a later end need a log-in from the last five minutes; so do single nodes beyond 20.
         */
        put: operations["Sharing_update"];
        post?: never;
        /**
         * Revoke a share
         * @description For the sharer and the recipient. Its re-shares end with it, and so does its follow.
         */
        delete: operations["Sharing_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blocked-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users whom you have blocked, newest first
         * @description Nobody else learns of this list.
         */
        get: operations["BlockedUsers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blocked-users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block a user
         * @description From the next request on you receive nothing from them: their shares, re-shares of their nodes, requests to follow you and invitations do not exist for you. They get the same answers as before. What you share with them, and accepted follows, stay until you end them.
         */
        put: operations["BlockedUsers_block"];
        post?: never;
        /**
         * Unblock a user
         * @description Shares, requests and invitations that are still in force show again, also those made meanwhile.
         */
        delete: operations["BlockedUsers_unblock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/follows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Follow a user
         * @description A public user is followed at once, with a read-only share of everything; a private one must accept.
         */
        post: operations["Follows_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/follows/incoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your followers, newest first
         * @description For the followed user; `status` restricts the list.
         */
        get: operations["Follows_incoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/follows/outgoing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users you follow, newest first
         * @description For the follower; `status` restricts the list.
         */
        get: operations["Follows_outgoing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/follows/{follow_id}/respond": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Accept or decline a follow
         * @description Accepting names what the follower may read. Scopes `all` and `specific_tags`, and more than 20 single nodes, need a log-in from the last five minutes.
         */
        put: operations["Follows_respond"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/follows/{follow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Stop following, or remove a follower
         * @description Also ends the share that belongs to the follow.
         */
        delete: operations["Follows_end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/invitations/incoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations that wait for your answer, newest first
         * @description Lists only invitations that were sent to you.
         */
        get: operations["GroupInvitations_incoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Accept or decline an invitation
         * @description For the invited user only. Accepting makes them a member at once, with the offered role.
         */
        put: operations["GroupInvitations_answer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations of a group that wait for an answer, newest first
         * @description For admins of the group.
         */
        get: operations["GroupInvitations_pending"];
        put?: never;
        /**
         * Invite a user into a group
         * @description For admins of the group. The invited user sees the group's name, and nothing in it before accepting. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["GroupInvitations_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an invitation
         * @description For admins of the group, until the invitation is answered.
         */
        delete: operations["GroupInvitations_cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your groups
         * @description Lists the groups that you are a member of, with your role in each.
         */
        get: operations["Groups_list"];
        put?: never;
        /**
         * Create a group
         * @description You become its admin.
         */
        post: operations["Groups_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a group
         * @description For its members; an inactive one reads as absent.
         */
        get: operations["Groups_get"];
        /**
         * Change a group
         * @description For admins of the group. Absent fields stay unchanged.
         */
        put: operations["Groups_update"];
        post?: never;
        /**
         * Disband a group
         * @description Its data is kept and can no longer be reached; shares by its members are revoked.
         */
        delete: operations["Groups_disband"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your share with a group
         * @description Your own share with this group; those of other members are not shown.
         */
        get: operations["Groups_getShare"];
        /**
         * Share your data with a group through another profile
         * @description From now on the group can read what that profile of yours allows. Another profile needs a log-in from the last five minutes.
         */
        put: operations["Groups_changeShare"];
        /**
         * Share your data with a group
         * @description Shares what one of your own exposure profiles allows, for reading only. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Groups_share"];
        /**
         * Stop sharing your data with a group
         * @description From the next request on the group sees nothing of yours. Leaving the group does the same.
         */
        delete: operations["Groups_revokeShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a group, earliest first
         * @description For members of the group. Only admins see which exposure profile somebody else has.
         */
        get: operations["GroupMembers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role or the profile of a member
         * @description Absent fields stay; null removes the profile. Another profile, or none, and the role of an admin need a log-in not older than five minutes.
         */
        put: operations["GroupMembers_update"];
        post?: never;
        /**
         * Remove a member, or leave
         * @description Admins remove any member, members remove themselves. When the last admin leaves, `deletion_policy` applies; leaving the group to another member needs a log-in from the last five minutes.
         */
        delete: operations["GroupMembers_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/members/{user_id}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a member an admin
         * @description For admins of the group with a log-in from the last five minutes.
         */
        post: operations["GroupMembers_promote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connections that a group has requested, newest first
         * @description For members of the group; ended ones stay listed with their status until the next request to that group.
         */
        get: operations["GroupConnections_outgoing"];
        put?: never;
        /**
         * Request a connection to another group
         * @description For admins of the group. A connection gives no access to any node.
         */
        post: operations["GroupConnections_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/connections/incoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connections that wait for the answer of a group
         * @description For admins of the group that received the request.
         */
        get: operations["GroupConnections_incoming"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Accept or decline a connection
         * @description For admins of the group that received the request.
         */
        put: operations["GroupConnections_answer"];
        post?: never;
        /**
         * Revoke a connection
         * @description For admins of either group.
         */
        delete: operations["GroupConnections_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the nodes of a group and those that members share with it, last changed first
         * @description Members other than admins see what their assigned profile allows.
         */
        get: operations["GroupGraphs_listNodes"];
        put?: never;
        /**
         * Create a node of a group
         * @description For admins, and members whose profile grants create. With `on_duplicate` it is 200 where the node exists.
         */
        post: operations["GroupGraphs_createNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/nodes/{node_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a node of a group, or one that a member shares with it
         * @description For members, as their assigned profile shows it; nodes that members share with the group are read-only and cut by the sharer's profile.
         */
        get: operations["GroupGraphs_getNode"];
        /**
         * Change a node of a group
         * @description For admins, and members whose profile grants edit. Nodes that members share with the group are read-only.
         */
        put: operations["GroupGraphs_updateNode"];
        post?: never;
        /**
         * Delete a node of a group
         * @description For admins, and members whose profile grants delete.
         */
        delete: operations["GroupGraphs_deleteNode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of a group
         * @description For members; those with an assigned profile see the tags that it lets them discover. By name.
         */
        get: operations["GroupGraphs_listTags"];
        put?: never;
        /**
         * Create a tag of a group
         * @description For admins, and members whose profile lets them create tags that do not exist yet.
         */
        post: operations["GroupGraphs_createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/exposure-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the exposure profiles of a group, oldest first
         * @description All profiles for admins of the group. Other members get the one that is assigned to them, with its permissions for tags that they may discover and for schemas, without what it hides. The `version` of a profile, in quotes, is its ETag.
         */
        get: operations["GroupProfiles_list"];
        put?: never;
        /**
         * Create an exposure profile of a group
         * @description Ids and names of tags are those of the group. A profile with only a name allows nothing; without `schema_permissions` it limits no schema.
         */
        post: operations["GroupProfiles_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/exposure-profiles/{profile_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change an exposure profile of a group
         * @description Takes effect on the next request of every member it is assigned to. More rights through one that is assigned need a log-in from the last five minutes.
         */
        put: operations["GroupProfiles_update"];
        post?: never;
        /**
         * Delete an exposure profile of a group
         * @description Refused while the profile is assigned to a member.
         */
        delete: operations["GroupProfiles_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/access-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accesses to your graph
         * @description Newest first; entries are stored for 90 days. It lists all answers and events to apps that act for you, and changes by other people of things you share, and their reads of nodes that they named by id, by the hour. It lists neither what others search for nor your own requests, and stores no content of nodes: `nodes` has their present titles. Other processes write their entries every two seconds.
         */
        get: operations["AccessLog_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything of the account as a zip file
         * @description All as of one moment: an import restores `data/`; `listed/` is only for reading (authorizations, shares, proposals, apps); `files/` has the contents by their SHA-256. Two exports with nothing written between them have equal `data/` and `files/`, byte for byte. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        get: operations["Portability_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill an empty account with an archive
         * @description Takes an archive from `GET /export`, from this account or another, this server or another: all of it or nothing. The account must be one whose owner has written nothing yet. Everything gets a new id, also where texts, rules and the history name it; an export afterwards has the same `data/` and `files/` but for these ids. Permissions do not come back: apps, shares and groups have to be agreed again. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Portability_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to events
         * @description There is one subscription for each app and user; a second call replaces events and address (200), and enables a disabled one. With a JWT, additional events, another address or secret need a log-in from the last five minutes.
         */
        post: operations["Webhooks_subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the webhook subscription
         * @description The subscription of the calling app for this user; with a JWT, name the app in `app_id`. The secret is never shown again. To a key, one that the user made shows no address, no share events, and neither failures nor the last delivery.
         */
        get: operations["Webhooks_get"];
        put?: never;
        post?: never;
        /**
         * Delete the webhook subscription
         * @description Also deletes all pending deliveries and the subscription to proposals.
         */
        delete: operations["Webhooks_remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscription/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a disabled webhook subscription
         * @description Enables the subscription of the calling app for this user and resets its failure count. Deliveries that ended meanwhile are only sent on request. Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Webhooks_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscription/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the webhook secret
         * @description For 24 hours `webhook-signature` holds the signatures of both secrets. A key cannot rotate the secret of a subscription that the user made (403). Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.
         */
        post: operations["Webhooks_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/subscription/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Queues a delivery of `webhook.test`, which is signed and retried like any other.
         */
        post: operations["Webhooks_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first, without their content. Deliveries are stored for 30 days. A key does not see those of share events.
         */
        get: operations["Webhooks_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends it with the same `webhook-id`, and with the content that the app may see today.
         */
        post: operations["Webhooks_redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server
         * @description Endpoints, grants and scopes (RFC 8414).
         */
        get: operations["Metadata_server"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the protected resource
         * @description The address that tokens are for, and the authorization server that issues them (RFC 9728).
         */
        get: operations["Metadata_root"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the protected resource
         * @description The address that tokens are for, and the authorization server that issues them (RFC 9728).
         */
        get: operations["Metadata_mcp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the protected resource
         * @description The address that tokens are for, and the authorization server that issues them (RFC 9728).
         */
        get: operations["Metadata_api"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask a person for access
         * @description Sends the browser to the consent page, or back to the client with an error. An unknown client or redirect URI is answered by a page.
         */
        get: operations["Authorize_authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get tokens
         * @description Exchanges a code, a refresh token, or the code of a device for tokens (RFC 6749, RFC 8628).
         */
        post: operations["Token_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token
         * @description Ends an access token, or with a refresh token its whole session; 200 for any other text (RFC 7009).
         */
        post: operations["Token_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a token
         * @description The state of a token of the client that asks; others’ are not active (RFC 7662).
         */
        post: operations["Token_introspect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/par": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push an authorization request
         * @description Checks the parameters of a request, and answers a request_uri that stands for them (RFC 9126).
         */
        post: operations["PushedRequests_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/device_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect a device without a browser
         * @description Answers a code that the person types at the address in the answer, on any other device (RFC 8628).
         */
        post: operations["PushedRequests_device"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a client
         * @description Makes a public client, as it describes itself, and answers its client_id (RFC 7591). No site vouches for it: people see its name as not verified. 404 where the operator has closed registration.
         */
        post: operations["Registration_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request for consent
         * @description The client that asks, what it asks for, and your profiles with what each lacks for it.
         */
        get: operations["Consent_get"];
        put?: never;
        /**
         * Allow or deny a request for consent
         * @description To allow needs a log-in from the last five minutes. It authorizes the app with the scopes and the profile that you choose, and replaces the terms of an app that is connected already, for all of its devices.
         */
        post: operations["Consent_decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a device that waits
         * @description The request of the device that shows this code, for the consent page.
         */
        post: operations["Consent_device"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message of the Model Context Protocol
         * @description Streamable HTTP without sessions, in the revisions 2026-07-28 and 2025-11-25 and those before it; errors have the form of JSON-RPC.
         */
        post: operations["Mcp_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the console
         * @description A page for people to log in and to see, change and end what apps may do.
         */
        get: operations["Console_home"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file of the console
         * @description Its name changes with its contents, so caches need not ask for it again.
         */
        get: operations["Console_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a page of the console
         * @description The same page as /console: its script shows what the path names. For other paths it says that there is no such page, with the status 404.
         */
        get: operations["Console_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ErrorBody: {
            /**
             * @example VALIDATION_ERROR
             * @enum {string}
             */
            code: "AMBIGUOUS_CREDENTIALS" | "CONSENT_EXPIRED" | "INVALID_ARCHIVE" | "INVALID_CURSOR" | "INVALID_EVENT" | "INVALID_JSON" | "INVALID_JSON_SCHEMA" | "INVALID_LINK" | "INVALID_NODE_TYPE" | "INVALID_SCOPE" | "INVALID_TRANSFORMATION" | "INVALID_WEBHOOK_URL" | "LAST_TAG_REMOVAL" | "NOT_A_FILE" | "SCHEMA_CYCLE" | "SCHEMA_NOT_FOUND" | "SCHEMA_VALIDATION_FAILED" | "USER_REQUIRED" | "VALIDATION_ERROR" | "INVALID_CHALLENGE" | "REAUTHENTICATION_REQUIRED" | "SECOND_FACTOR_REQUIRED" | "UNAUTHORIZED" | "ADMIN_REQUIRED" | "FORBIDDEN" | "NOT_A_MEMBER" | "PERMISSION_DENIED" | "QUOTA_EXCEEDED" | "NODE_NOT_FOUND" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "ACCOUNT_NOT_EMPTY" | "ACTIVE_AUTHORIZATIONS" | "ALREADY_MEMBER" | "CONNECTION_EXISTS" | "DEFAULT_PROFILE" | "EMAIL_EXISTS" | "EMBEDDINGS_NOT_CONFIGURED" | "FOLLOW_EXISTS" | "IDEMPOTENCY_KEY_IN_USE" | "INVALID_STATE_TRANSITION" | "INVITATION_EXISTS" | "LAST_ADMIN" | "MAIL_NOT_CONFIGURED" | "NO_SECOND_FACTOR" | "PASSKEYS_NOT_CONFIGURED" | "PASSKEY_EXISTS" | "PROFILE_IN_USE" | "PROFILE_INSUFFICIENT" | "PROFILE_NAME_EXISTS" | "PROPOSAL_NOT_APPROVED" | "REQUEST_CHANGED" | "REVISION_CONFLICT" | "SCHEMA_URI_EXISTS" | "SECOND_FACTOR_EXISTS" | "SHARE_EXISTS" | "TAG_ALREADY_EXISTS" | "TOO_MANY_PASSKEYS" | "USERNAME_EXISTS" | "PRECONDITION_FAILED" | "FILE_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_STREAMS" | "TOO_MUCH_UNDER_WAY";
            /** @example title: must be a string */
            message: string;
            /**
             * @description Details of the error; their form depends on the code.
             * @example [
             *       {
             *         "field": "title",
             *         "message": "must be a string"
             *       }
             *     ]
             */
            details?: {
                [key: string]: unknown;
            }[] | {
                [key: string]: unknown;
            };
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            request_id: string;
        };
        ErrorEnvelope: {
            error: components["schemas"]["ErrorBody"];
        };
        RateLimitedBody: {
            /** @example Rate limit exceeded */
            error: string;
            /**
             * @description Seconds to wait.
             * @example 30
             */
            retry_after: number;
        };
        OAuthErrorBody: {
            /** @example invalid_request */
            error: string;
            /** @example grant_type is missing */
            error_description: string;
        };
        HealthAnswer: {
            /** @example ok */
            status: string;
            /**
             * @description Present if Redis is configured. While Redis is down the service keeps working, and each process counts by itself.
             * @example up
             * @enum {string}
             */
            redis?: "up" | "down";
        };
        RegisterBody: {
            /**
             * Format: email
             * @example alice@example.org
             */
            email: string;
            /**
             * Format: password
             * @description The most common passwords, your e-mail address and your username are refused.
             * @example correct horse battery
             */
            password: string;
            /**
             * @description 3 to 40 of `A-Z a-z 0-9 _ . -`, unique without regard to case.
             * @example alice
             */
            username: string;
            /**
             * @description Publishes your whole graph: everybody with an account may follow you without a request, and read every node of it, regardless of its tags.
             * @default false
             * @example false
             */
            is_public: boolean;
            /**
             * @description Only for pages of this service: `cookie` holds the refresh token in a cookie that no script can read, in the place of `refresh_token`. Pages of other origins are refused (403).
             * @enum {string}
             */
            session?: "cookie";
        };
        AccountDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: email
             * @example alice@example.org
             */
            email: string;
            /**
             * @description A link that was sent to the address was used. Only then can a new password be chosen with a link from an e-mail.
             * @example true
             */
            email_verified: boolean;
            /**
             * @description 3 to 40 of `A-Z a-z 0-9 _ . -`, unique without regard to case.
             * @example alice
             */
            username: string;
            /**
             * @description Publishes your whole graph: everybody with an account may follow you without a request, and read every node of it, regardless of its tags.
             * @example false
             */
            is_public: boolean;
            /**
             * @example free
             * @enum {string}
             */
            tier: "free" | "pro" | "enterprise";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
        };
        SignedInDto: {
            /**
             * @description JWT for `Authorization: Bearer`.
             * @example eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk3In0.c2ln
             */
            access_token: string;
            /**
             * @description Valid for one POST /auth/refresh within 30 days. Absent for a `session` in a cookie.
             * @example pig_refresh_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY
             */
            refresh_token?: string;
            /**
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expires_in: number;
            user: components["schemas"]["AccountDto"];
        };
        LogInBody: {
            /**
             * Format: email
             * @example alice@example.org
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
            /**
             * @description A refresh token that this device had before; it may be used or expired. It shows that the device is known, so that neither failures of strangers nor their requests from the same network make it wait.
             * @example pig_refresh_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY
             */
            earlier_refresh_token?: string;
            /**
             * @description Only for pages of this service: `cookie` holds the refresh token in a cookie that no script can read, in the place of `refresh_token`. Pages of other origins are refused (403).
             * @enum {string}
             */
            session?: "cookie";
        };
        RefreshBody: {
            /**
             * @description Needed without `session`; with it, the one in the cookie takes its place.
             * @example pig_refresh_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY
             */
            refresh_token?: string;
            /**
             * @description Only for pages of this service: `cookie` holds the refresh token in a cookie that no script can read, in the place of `refresh_token`. Pages of other origins are refused (403).
             * @enum {string}
             */
            session?: "cookie";
        };
        TokensDto: {
            /**
             * @description JWT for `Authorization: Bearer`.
             * @example eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk3In0.c2ln
             */
            access_token: string;
            /**
             * @description Valid for one POST /auth/refresh within 30 days. Absent for a `session` in a cookie.
             * @example pig_refresh_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY
             */
            refresh_token?: string;
            /**
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expires_in: number;
        };
        SecondFactorDto: {
            /**
             * @description True if an authenticator app is enrolled: the password alone is not sufficient then.
             * @example true
             */
            totp: boolean;
            /**
             * @description The number of unused recovery codes.
             * @example 10
             */
            recovery_codes_left: number;
        };
        QuotaDto: {
            /**
             * @description Null: without limit.
             * @example 250000
             */
            limit: number | null;
            /** @example 1204 */
            used: number;
        };
        QuotasDto: {
            /** @description Nodes that are not deleted. */
            nodes: components["schemas"]["QuotaDto"];
            /** @description Relationships that are not deleted, those of deleted nodes included. */
            relationships: components["schemas"]["QuotaDto"];
            /** @description Tags that are not deleted. */
            tags: components["schemas"]["QuotaDto"];
            /** @description Tags, deleted ones included, because nodes and rules still name them. */
            all_tags: components["schemas"]["QuotaDto"];
            /** @description Schemas that are not deleted. */
            schemas: components["schemas"]["QuotaDto"];
            /** @description Apps that you have registered. */
            apps: components["schemas"]["QuotaDto"];
            /** @description Groups that you have made. Each has quotas of its own for its graph. */
            groups: components["schemas"]["QuotaDto"];
            /** @description Exposure profiles that you have. */
            exposure_profiles: components["schemas"]["QuotaDto"];
            /** @description Bytes of all versions of everything in the graph, and of vectors. A deletion frees none: it can be reverted. */
            graph_bytes: components["schemas"]["QuotaDto"];
            /** @description Bytes of all files, those of deleted nodes included. Replaced content is freed within some hours. */
            file_bytes: components["schemas"]["QuotaDto"];
        };
        OwnAccountDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: email
             * @example alice@example.org
             */
            email: string;
            /**
             * @description A link that was sent to the address was used. Only then can a new password be chosen with a link from an e-mail.
             * @example true
             */
            email_verified: boolean;
            /**
             * @description 3 to 40 of `A-Z a-z 0-9 _ . -`, unique without regard to case.
             * @example alice
             */
            username: string;
            /**
             * @description Publishes your whole graph: everybody with an account may follow you without a request, and read every node of it, regardless of its tags.
             * @example false
             */
            is_public: boolean;
            /**
             * @example free
             * @enum {string}
             */
            tier: "free" | "pro" | "enterprise";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            second_factor: components["schemas"]["SecondFactorDto"];
            /** @description Writes beyond a limit are refused with 403 `QUOTA_EXCEEDED`. */
            quotas: components["schemas"]["QuotasDto"];
        };
        UpdateMeBody: {
            /**
             * @description 3 to 40 of `A-Z a-z 0-9 _ . -`, unique without regard to case.
             * @example alice
             */
            username?: string;
            /**
             * @description Publishes your whole graph: everybody with an account may follow you without a request, and read every node of it, regardless of its tags.
             * @example false
             */
            is_public?: boolean;
        };
        ChangePasswordBody: {
            /**
             * Format: password
             * @example correct horse battery
             */
            current_password: string;
            /**
             * Format: password
             * @description The most common passwords, your e-mail address and your username are refused.
             * @example a better one than before
             */
            new_password: string;
        };
        LogInDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last time at which tokens were made for it.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string;
            /**
             * @description The last user agent of the client.
             * @example Mozilla/5.0
             */
            user_agent: string | null;
            /**
             * @description The network of its last use: the /24 of an IPv4 address, the /48 of an IPv6 address.
             * @example 203.0.113.0/24
             */
            network: string | null;
            /**
             * @description True for the calling log-in.
             * @example true
             */
            is_current: boolean;
        };
        LogInsDto: {
            /** @description The last used first. */
            sessions: components["schemas"]["LogInDto"][];
            /** @example 1 */
            total: number;
        };
        ReauthenticateBody: {
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
        };
        AccessTokenDto: {
            /**
             * @description JWT for `Authorization: Bearer`, in place of the one that was sent.
             * @example eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk3In0.c2ln
             */
            access_token: string;
            /**
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expires_in: number;
        };
        EmailBody: {
            /**
             * Format: email
             * @example alice@example.org
             */
            email: string;
        };
        LetterOnItsWayDto: {
            /** @example If the address is the verified one of an account, an e-mail is on its way to it */
            message: string;
        };
        ResetPasswordBody: {
            /**
             * @description The text after `=` in the link in the e-mail.
             * @example pig_mail_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY
             */
            token: string;
            /**
             * Format: password
             * @description The most common passwords, your e-mail address and your username are refused.
             * @example a better one than before
             */
            new_password: string;
        };
        ChangeEmailBody: {
            /**
             * Format: email
             * @example alice@example.org
             */
            email: string;
            /**
             * Format: password
             * @example correct horse battery
             */
            password: string;
        };
        LinkBody: {
            /**
             * @description The text after `=` in the link in the e-mail.
             * @example pig_mail_4ZC4n6nDkQd2yNpXw0dW3b1hS7c9uT5rVg8mJqLxEfY
             */
            token: string;
        };
        LogInAnswerBody: {
            /**
             * @description The current code of the authenticator app. Each code is valid once.
             * @example 287082
             */
            code?: string;
            /** @description In place of `code`: one of the recovery codes, which is used up by it. */
            recovery_code?: string;
            /**
             * @description From `details` of the `SECOND_FACTOR_REQUIRED` answer.
             * @example pig_challenge_9dK2vQmXy7LrT0nBfHs3Wc6ZpUe1Ao8Gi5jN4tRxYqM
             */
            challenge: string;
            /**
             * @description Only for pages of this service: `cookie` holds the refresh token in a cookie that no script can read, in the place of `refresh_token`. Pages of other origins are refused (403).
             * @enum {string}
             */
            session?: "cookie";
        };
        ChallengeAnswerBody: {
            /**
             * @description The current code of the authenticator app. Each code is valid once.
             * @example 287082
             */
            code?: string;
            /** @description In place of `code`: one of the recovery codes, which is used up by it. */
            recovery_code?: string;
            /**
             * @description From `details` of the `SECOND_FACTOR_REQUIRED` answer.
             * @example pig_challenge_9dK2vQmXy7LrT0nBfHs3Wc6ZpUe1Ao8Gi5jN4tRxYqM
             */
            challenge: string;
        };
        BegunTotpDto: {
            /**
             * @description Base32, for typing it into an app; shown only now.
             * @example GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
             */
            secret: string;
            /**
             * @description For a QR code; shown only now.
             * @example otpauth://totp/Personal%20Identity%20Graph:alice%40example.org?issuer=Personal%20Identity%20Graph&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30
             */
            otpauth_url: string;
        };
        TotpCodeBody: {
            /**
             * @description The current code of the authenticator app.
             * @example 287082
             */
            code: string;
        };
        RecoveryCodesDto: {
            /**
             * @description Ten codes, each valid once. They are not shown again.
             * @example [
             *       "7K3QX-0M9TD",
             *       "D4W0P-RB2ZK"
             *     ]
             */
            recovery_codes: string[];
        };
        FactorProofBody: {
            /**
             * @description The current code of the authenticator app. Each code is valid once.
             * @example 287082
             */
            code?: string;
            /** @description In place of `code`: one of the recovery codes, which is used up by it. */
            recovery_code?: string;
        };
        PasskeyCreationDto: {
            /**
             * @description Seconds until the challenge expires.
             * @example 300
             */
            expires_in: number;
            /**
             * @description For `PublicKeyCredential.parseCreationOptionsFromJSON` and then `navigator.credentials.create`.
             * @example {
             *       "challenge": "pDFqVqkYJtFmGZhEwbHOx0YMFnSZDq3xUyCzDbsRo1c",
             *       "rp": {
             *         "id": "graph.example",
             *         "name": "Personal Identity Graph"
             *       }
             *     }
             */
            public_key: {
                /** Format: base64url */
                challenge?: string;
            } & {
                [key: string]: unknown;
            };
        };
        CreatedResponse: {
            /**
             * Format: base64url
             * @description Contains the challenge; each is valid for one answer.
             * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiLi4uIn0
             */
            clientDataJSON: string;
            /**
             * Format: base64url
             * @description Contains the public key. Statements about the maker of the device are ignored.
             * @example o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg
             */
            attestationObject: string;
            /**
             * @description Ways to the device, sent to browsers with later challenges.
             * @example [
             *       "internal",
             *       "hybrid"
             *     ]
             */
            transports?: string[];
        };
        CreatedCredential: {
            /**
             * @description As the browser sent it, in base64url.
             * @example bXktcGFzc2tleS1uci0x
             */
            id: string;
            /**
             * @description The same.
             * @example bXktcGFzc2tleS1uci0x
             */
            rawId: string;
            /**
             * @description Always `public-key`.
             * @example public-key
             */
            type: string;
            response: components["schemas"]["CreatedResponse"];
        };
        AddPasskeyBody: {
            /**
             * @description Your own name for the passkey, such as its place.
             * @example My phone
             */
            name: string;
            /** @description The answer of `navigator.credentials.create`, by `toJSON()`. */
            credential: components["schemas"]["CreatedCredential"];
        };
        PasskeyDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description Your own name for the passkey, such as its place.
             * @example My phone
             */
            name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description The last time when its answer was refused because its counter went back: a copy of it may exist. Remove it then.
             * @example 2026-01-31T12:00:00.000Z
             */
            copy_suspected_at: string | null;
        };
        PasskeysDto: {
            /** @description The oldest first. */
            passkeys: components["schemas"]["PasskeyDto"][];
            /** @example 1 */
            total: number;
        };
        RenamePasskeyBody: {
            /**
             * @description Your own name for the passkey, such as its place.
             * @example My phone
             */
            name: string;
        };
        PasskeyRequestDto: {
            /**
             * @description Seconds until the challenge expires.
             * @example 300
             */
            expires_in: number;
            /**
             * @description For `PublicKeyCredential.parseRequestOptionsFromJSON` and then `navigator.credentials.get`.
             * @example {
             *       "challenge": "pDFqVqkYJtFmGZhEwbHOx0YMFnSZDq3xUyCzDbsRo1c",
             *       "rpId": "graph.example",
             *       "userVerification": "required"
             *     }
             */
            public_key: {
                /** Format: base64url */
                challenge?: string;
            } & {
                [key: string]: unknown;
            };
        };
        UsedResponse: {
            /**
             * Format: base64url
             * @description Contains the challenge; each is valid for one answer.
             * @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiLi4uIn0
             */
            clientDataJSON: string;
            /**
             * Format: base64url
             * @example SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ
             */
            authenticatorData: string;
            /**
             * Format: base64url
             * @example MEUCIQDx5Q
             */
            signature: string;
            /**
             * @description The account of the passkey; needed to log in.
             * @example my9sHjpHTQiMXR8Oemstl
             */
            userHandle?: string;
        };
        UsedCredential: {
            /**
             * @description As the browser sent it, in base64url.
             * @example bXktcGFzc2tleS1uci0x
             */
            id: string;
            /**
             * @description The same.
             * @example bXktcGFzc2tleS1uci0x
             */
            rawId: string;
            /**
             * @description Always `public-key`.
             * @example public-key
             */
            type: string;
            response: components["schemas"]["UsedResponse"];
        };
        LogInPasskeyBody: {
            /** @description The answer of `navigator.credentials.get`, by `toJSON()`. */
            credential: components["schemas"]["UsedCredential"];
            /**
             * @description Only for pages of this service: `cookie` holds the refresh token in a cookie that no script can read, in the place of `refresh_token`. Pages of other origins are refused (403).
             * @enum {string}
             */
            session?: "cookie";
        };
        UsePasskeyBody: {
            /** @description The answer of `navigator.credentials.get`, by `toJSON()`. */
            credential: components["schemas"]["UsedCredential"];
        };
        UserDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example alice */
            username: string;
            /** @example false */
            is_public: boolean;
        };
        UsersDto: {
            /** @description One, or none. */
            users: components["schemas"]["UserDto"][];
        };
        RequestedTags: {
            /**
             * @description See that tags exist. Absent is false.
             * @example true
             */
            discover?: boolean;
            /**
             * @description Read nodes. Absent is false.
             * @example true
             */
            read?: boolean;
            /**
             * @description Suggest changes that the user approves. Absent is false.
             * @example false
             */
            propose?: boolean;
            /**
             * @description Create nodes. Absent is false.
             * @example true
             */
            create?: boolean;
            /**
             * @description Change nodes. Absent is false.
             * @example false
             */
            edit?: boolean;
            /**
             * @description Short for create and edit. Absent is false.
             * @example false
             */
            write?: boolean;
            /**
             * @description Delete nodes. Absent: as for edit.
             * @example false
             */
            delete?: boolean;
        };
        RequestedFiles: {
            /**
             * @description Absent is false.
             * @example false
             */
            read?: boolean;
        };
        RequestedSchemasDto: {
            /**
             * @description Ids of schemas; `__freeform__` means nodes without one.
             * @example [
             *       "__freeform__"
             *     ]
             */
            schema_ids?: string[];
            /**
             * @description Absent is false.
             * @example false
             */
            allow_all?: boolean;
        };
        RequestedSchemaAccess: {
            read?: components["schemas"]["RequestedSchemasDto"];
            write?: components["schemas"]["RequestedSchemasDto"];
        };
        RequestedPermissionsDto: {
            tags?: components["schemas"]["RequestedTags"];
            files?: components["schemas"]["RequestedFiles"];
            schemas?: components["schemas"]["RequestedSchemaAccess"];
        };
        CreateAppBody: {
            /** @example Reading list */
            name: string;
            /** @example Keeps the books you want to read. */
            description?: string | null;
            /**
             * Format: uri
             * @example https://reading.example.org
             */
            homepage_url?: string | null;
            /**
             * @default []
             * @example [
             *       "https://reading.example.org/callback"
             *     ]
             */
            redirect_uris: string[];
            /**
             * @description L1: native app. L2: third-party app.
             * @default L2
             * @example L2
             * @enum {string}
             */
            client_level: "L1" | "L2";
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
        };
        CreatedAppDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Reading list */
            name: string;
            /** @example Keeps the books you want to read. */
            description: string | null;
            /**
             * Format: uri
             * @example https://reading.example.org
             */
            homepage_url: string | null;
            /**
             * @description L1: native app. L2: third-party app.
             * @example L2
             * @enum {string}
             */
            client_level: "L1" | "L2";
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @example [
             *       "https://reading.example.org/callback"
             *     ]
             */
            redirect_uris: string[];
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string;
            /**
             * @example free
             * @enum {string}
             */
            tier: "free" | "pro" | "enterprise";
            /** @example true */
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description The secret of the first key; shown only now.
             * @example pig_live_<30 characters><checksum>
             */
            api_key?: string;
        };
        AppDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Reading list */
            name: string;
            /** @example Keeps the books you want to read. */
            description: string | null;
            /**
             * Format: uri
             * @example https://reading.example.org
             */
            homepage_url: string | null;
            /**
             * @description L1: native app. L2: third-party app.
             * @example L2
             * @enum {string}
             */
            client_level: "L1" | "L2";
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @example [
             *       "https://reading.example.org/callback"
             *     ]
             */
            redirect_uris: string[];
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string;
            /**
             * @example free
             * @enum {string}
             */
            tier: "free" | "pro" | "enterprise";
            /** @example true */
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        AppsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            apps: components["schemas"]["AppDto"][];
        };
        CurrentAppDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Reading list */
            name: string;
            /** @example Keeps the books you want to read. */
            description: string | null;
            /**
             * Format: uri
             * @example https://reading.example.org
             */
            homepage_url: string | null;
            /**
             * @description L1: native app. L2: third-party app.
             * @example L2
             * @enum {string}
             */
            client_level: "L1" | "L2";
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description Absent for user keys.
             * @example [
             *       "https://reading.example.org/callback"
             *     ]
             */
            redirect_uris?: string[];
            /**
             * Format: uuid
             * @description Absent for user keys.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id?: string;
            /**
             * @description Absent for user keys.
             * @example free
             * @enum {string}
             */
            tier?: "free" | "pro" | "enterprise";
            /**
             * @description Absent for user keys.
             * @example true
             */
            is_active?: boolean;
            /**
             * Format: date-time
             * @description Absent for user keys.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description Absent for user keys.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at?: string;
        };
        UpdateAppBody: {
            /** @example Reading list */
            name?: string;
            /** @example Keeps the books you want to read. */
            description?: string | null;
            /**
             * Format: uri
             * @example https://reading.example.org
             */
            homepage_url?: string | null;
            /**
             * @example [
             *       "https://reading.example.org/callback"
             *     ]
             */
            redirect_uris?: string[];
            /**
             * @description L1: native app. L2: third-party app.
             * @example L2
             * @enum {string}
             */
            client_level?: "L1" | "L2";
            /** @description Replaces all requested permissions. */
            requested_permissions?: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description false deactivates the app: requests with its keys are refused with 403.
             * @example true
             */
            is_active?: boolean;
        };
        DeletedAppDto: {
            /** @example App deleted */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        CreateKeyBody: {
            /** @example server 2 */
            name?: string | null;
            /**
             * Format: date-time
             * @description In the future. Absent or null: the key does not expire.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at?: string | null;
        };
        CreatedKeyDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example server 2 */
            name: string | null;
            /**
             * @description The first characters, for recognizing the key.
             * @example pig_live_Ab3d
             */
            prefix: string;
            /** @example x9Zk */
            last_four: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * @description The secret; shown only now.
             * @example pig_live_<30 characters><checksum>
             */
            api_key?: string;
        };
        KeyDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example server 2 */
            name: string | null;
            /**
             * @description The first characters, for recognizing the key.
             * @example pig_live_Ab3d
             */
            prefix: string;
            /** @example x9Zk */
            last_four: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at: string | null;
        };
        KeysDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            keys: components["schemas"]["KeyDto"][];
        };
        PeriodDto: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        EndpointUsageDto: {
            /** @example 1200 */
            requests: number;
            /**
             * @description Answered with 4xx or 5xx.
             * @example 12
             */
            errors: number;
            /** @example GET /nodes/:node_id */
            endpoint: string;
            /** @example 4.2 */
            average_ms: number;
        };
        DayUsageDto: {
            /** @example 1200 */
            requests: number;
            /**
             * @description Answered with 4xx or 5xx.
             * @example 12
             */
            errors: number;
            /**
             * @description UTC.
             * @example 2026-03-01
             */
            date: string;
        };
        HourUsageDto: {
            /** @example 1200 */
            requests: number;
            /**
             * @description Answered with 4xx or 5xx.
             * @example 12
             */
            errors: number;
            /**
             * @description UTC.
             * @example 14
             */
            hour_of_day: number;
        };
        MetricsDto: {
            /** Format: uuid */
            third_party_id: string;
            period: components["schemas"]["PeriodDto"];
            /** @example 1200 */
            total_requests: number;
            /** @example 12 */
            total_errors: number;
            /** @description The most used first. */
            endpoints: components["schemas"]["EndpointUsageDto"][];
            by_day: components["schemas"]["DayUsageDto"][];
            /** @description The use of the app by hour, over all days. */
            by_hour_of_day: components["schemas"]["HourUsageDto"][];
        };
        PublicKeyDto: {
            /**
             * @example EC
             * @enum {string}
             */
            kty: "EC";
            /**
             * @example P-256
             * @enum {string}
             */
            crv: "P-256";
            /** @example f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU */
            x: string;
            /** @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0 */
            y: string;
            /**
             * @description As in the header of the tokens.
             * @example NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs
             */
            kid: string;
            /**
             * @example sig
             * @enum {string}
             */
            use: "sig";
            /**
             * @example ES256
             * @enum {string}
             */
            alg: "ES256";
        };
        KeySetDto: {
            keys: components["schemas"]["PublicKeyDto"][];
        };
        NamedDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Reading list */
            name: string;
        };
        NamedUserDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example ines */
            username: string;
        };
        ClientDto: {
            /** @example Reading list */
            name: string;
            /**
             * @description The site that vouches for the app; null for none.
             * @example null
             */
            host: string | null;
            /**
             * @description True if a site vouches for the app.
             * @example false
             */
            verified: boolean;
            /**
             * @description The developer registered it here, a document on its site describes it, or it registered itself.
             * @example registered
             * @enum {string}
             */
            kind: "registered" | "document" | "dynamic";
        };
        VerbCountsDto: {
            /** @example 40 */
            read: number;
            /** @example 12 */
            propose: number;
            /** @example 5 */
            edit: number;
            /** @example 0 */
            delete: number;
        };
        AuthorizationDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string;
            /**
             * @description The current name of the app.
             * @example Reading list
             */
            app_name: string;
            /**
             * @description Its name when you approved it; null for approvals older than this field.
             * @example Reading list
             */
            app_name_at_approval: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "revoked" | "expired";
            /** @description The ceiling as approved. */
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description The app now requests more than was approved.
             * @example false
             */
            upgrade_pending: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description In the future. Null: it does not end by itself.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            revoked_at: string | null;
            app: components["schemas"]["NamedDto"];
            /** @description You; null for the app. */
            user: components["schemas"]["NamedUserDto"] | null;
            /** @description Null for the app. */
            profile: components["schemas"]["NamedDto"] | null;
            /**
             * Format: date-time
             * @description The last use that the access log knows, of 90 days; null for the app.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * @description The reason that the app stated.
             * @example Weekly review of goals
             */
            purpose: string | null;
            /**
             * @description The permissions as approved, as scopes of OAuth.
             * @example [
             *       "graph:read"
             *     ]
             */
            scopes: string[];
            client: components["schemas"]["ClientDto"];
            /**
             * @description The number of devices that are connected by tokens; null for the app.
             * @example 1
             */
            sessions: number | null;
            /** @description With include_node_counts: the number of your own nodes that the app may read, propose changes to, edit and delete; null for an app that may not be used now. */
            node_counts?: components["schemas"]["VerbCountsDto"] | null;
        };
        CurrentAuthorizationDto: {
            authorization: components["schemas"]["AuthorizationDto"];
            /** @description The permissions that the app requests now. */
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /** @description The permissions that the profile grants. */
            granted_permissions: components["schemas"]["RequestedPermissionsDto"];
            /** @description The effective permissions: requested and granted. */
            effective_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description Requested and not effective, such as `tags.propose`.
             * @example [
             *       "tags.propose"
             *     ]
             */
            missing: string[];
        };
        RevokedAuthorizationDto: {
            /** @example Authorization revoked */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @example revoked
             * @enum {string}
             */
            status: "revoked";
        };
        AuthorizationsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            authorizations: components["schemas"]["AuthorizationDto"][];
        };
        PreviewedApp: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Reading list */
            name: string;
            /** @example Keeps the books you want to read. */
            description: string | null;
            /**
             * Format: uri
             * @example https://reading.example.org
             */
            homepage_url: string | null;
            /**
             * @example L2
             * @enum {string}
             */
            client_level: "L1" | "L2";
        };
        PreviewedProfile: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Work only */
            name: string;
            /** @example false */
            is_default: boolean;
            /**
             * @description Grants everything that the app requests.
             * @example false
             */
            satisfies: boolean;
            /**
             * @description Such as `tags.propose` or `schemas.write:<id>`.
             * @example [
             *       "tags.propose"
             *     ]
             */
            missing: string[];
        };
        PreviewDto: {
            app: components["schemas"]["PreviewedApp"];
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description Changes whenever the app changes its requests or its description; POST /authorizations takes it.
             * @example q8Zr2mVnT0yW5cXbK1dLpA
             */
            request_version: string;
            profiles: components["schemas"]["PreviewedProfile"][];
        };
        TagCondition: {
            /**
             * @description Name of a tag.
             * @example work
             */
            tag: string;
        };
        TagExpression: {
            /**
             * @description In any letter case.
             * @example AND
             * @enum {string}
             */
            op: "AND" | "OR";
            /**
             * @description Names of tags, or expressions again.
             * @example [
             *       {
             *         "tag": "work"
             *       },
             *       {
             *         "op": "OR",
             *         "conditions": [
             *           {
             *             "tag": "public"
             *           },
             *           {
             *             "tag": "team"
             *           }
             *         ]
             *       }
             *     ]
             */
            conditions: (components["schemas"]["TagCondition"] | components["schemas"]["TagExpression"])[];
        };
        TagPermissionBody: {
            /**
             * @description Ids of own tags.
             * @example [
             *       "c41d7e52-08b9-4f63-a2e7-5d90b3f81a6c"
             *     ]
             */
            tag_ids?: string[];
            /**
             * @description Every tag, and nodes without any.
             * @example false
             */
            allow_all?: boolean;
        };
        AssigningPermissionBody: {
            /**
             * @description Ids of own tags.
             * @example [
             *       "c41d7e52-08b9-4f63-a2e7-5d90b3f81a6c"
             *     ]
             */
            tag_ids?: string[];
            /**
             * @description Every tag, and nodes without any.
             * @example false
             */
            allow_all?: boolean;
            /**
             * @description Tags that do not exist yet; counts only where every tag may be discovered. Absent: the same as allow_all.
             * @example false
             */
            allow_new?: boolean;
        };
        TagPermissionsBody: {
            /** @description See that tags exist: names only. */
            discover?: components["schemas"]["TagPermissionBody"];
            /** @description Read nodes with these tags. */
            read?: components["schemas"]["TagPermissionBody"];
            /** @description Suggest changes that need your approval. */
            propose?: components["schemas"]["AssigningPermissionBody"];
            /** @description Change nodes directly. */
            edit?: components["schemas"]["AssigningPermissionBody"];
            /** @description Create nodes without approval. */
            create?: components["schemas"]["AssigningPermissionBody"];
            /** @description Delete nodes. Absent: the same as edit. */
            delete?: components["schemas"]["TagPermissionBody"];
        };
        SchemaPermissionBody: {
            /**
             * @description Ids of schemas; `__freeform__` means nodes without one.
             * @example [
             *       "__freeform__"
             *     ]
             */
            schema_ids?: string[];
            /** @example false */
            allow_all?: boolean;
        };
        SchemaPermissionsBody: {
            read?: components["schemas"]["SchemaPermissionBody"];
            write?: components["schemas"]["SchemaPermissionBody"];
        };
        TagFiltersBody: {
            /**
             * @description Names: a node must have all of these tags.
             * @example [
             *       "work"
             *     ]
             */
            include_all?: string[];
            /**
             * @description Names: a node must have at least one of these tags.
             * @example [
             *       "work"
             *     ]
             */
            include_any?: string[];
            /**
             * @description Names: a node must have none of these tags.
             * @example [
             *       "work"
             *     ]
             */
            exclude_any?: string[];
        };
        UpdateProfileBody: {
            /** @example What colleagues may see. */
            description?: string | null;
            /**
             * @description true: the profile becomes the default instead of the present one.
             * @example false
             */
            is_default?: boolean;
            /**
             * @description false: allows nothing and suspends its authorizations.
             * @example true
             */
            is_active?: boolean;
            tag_permissions?: components["schemas"]["TagPermissionsBody"];
            schema_permissions?: components["schemas"]["SchemaPermissionsBody"];
            tag_filters?: components["schemas"]["TagFiltersBody"];
            /**
             * @description Only nodes whose tags fit; null or absent: no restriction.
             * @example {
             *       "op": "AND",
             *       "conditions": [
             *         {
             *           "tag": "work"
             *         },
             *         {
             *           "op": "OR",
             *           "conditions": [
             *             {
             *               "tag": "public"
             *             },
             *             {
             *               "tag": "team"
             *             }
             *           ]
             *         }
             *       ]
             *     }
             */
            tag_expression?: components["schemas"]["TagExpression"] | null;
            /**
             * @description Legacy: only nodes with these tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_tag_ids?: string[];
            /**
             * @description Legacy: no nodes with these tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            excluded_tag_ids?: string[];
            /**
             * @description How allowed_tag_ids are joined.
             * @example OR
             * @enum {string}
             */
            allowed_tags_logic?: "OR" | "AND";
            /**
             * @description Single nodes, readable regardless of their tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_node_ids?: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            allowed_node_types?: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            excluded_node_types?: string[];
            /**
             * Format: date-time
             * @description Only nodes created then or later.
             * @example 2024-01-01T00:00:00.000Z
             */
            date_range_start?: string | null;
            /**
             * Format: date-time
             * @description Only nodes created then or before.
             * @example 2026-12-31T23:59:59.999Z
             */
            date_range_end?: string | null;
            /**
             * @description Applied in order to readable nodes; at most 20, of which 4 pii_redaction, with 200 paths in all and 40 with *.
             * @example [
             *       {
             *         "type": "pii_redaction",
             *         "config": {
             *           "entities": [
             *             "email",
             *             "phone"
             *           ]
             *         }
             *       }
             *     ]
             */
            transformations?: ({
                /** @enum {string} */
                type: "pii_redaction";
                config?: {
                    /** @description Absent: all of them. */
                    entities?: ("email" | "iban" | "credit_card" | "ssn" | "ip" | "phone" | "url")[];
                    /** @description Absent: `[REDACTED:<entity>]`. */
                    replacement?: string;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "field_mask";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                    /**
                     * @description `hash` a digest, `last4` the last four characters.
                     * @default remove
                     * @enum {string}
                     */
                    strategy: "remove" | "null" | "hash" | "last4";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "truncate";
                config: {
                    /** @example metadata.properties.email */
                    field: string;
                    /** @description Characters that stay. */
                    max: number;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "round_date";
                config?: {
                    /**
                     * @default day
                     * @enum {string}
                     */
                    granularity: "day" | "month" | "year";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "pseudonymize";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | ("pii_redaction" | "round_date"))[];
            /**
             * @description The fields of a readable node that are shown.
             * @example summary
             * @enum {string}
             */
            max_detail_level?: "full" | "summary" | "minimal";
            /** @example Work only */
            name?: string;
        };
        ApproveBody: {
            /**
             * Format: uuid
             * @description Id of an app; its developer has it from POST or GET /apps.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string;
            /**
             * Format: uuid
             * @description Id of one of your profiles, from GET /exposure-profiles.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /** @description Fields of the profile to change while approving; needs save_mode. */
            customizations?: components["schemas"]["UpdateProfileBody"] | null;
            /**
             * @description The target of customizations: the profile, or a copy of it.
             * @example save_as_new
             * @enum {string|null}
             */
            save_mode?: "overwrite" | "save_as_new" | null;
            /**
             * @description Name of the copy; required with save_as_new.
             * @example Work only, for the reading list
             */
            new_profile_name?: string | null;
            /**
             * Format: date-time
             * @description In the future. Null: it does not end by itself.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description From the preview that you were shown. If the app has changed since, nothing is approved. Absent: the one that you were last shown, where there is one.
             * @example null
             */
            request_version?: string | null;
        };
        ApprovedDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string;
            /**
             * @description The current name of the app.
             * @example Reading list
             */
            app_name: string;
            /**
             * @description Its name when you approved it; null for approvals older than this field.
             * @example Reading list
             */
            app_name_at_approval: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "revoked" | "expired";
            /** @description The ceiling as approved. */
            requested_permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description The app now requests more than was approved.
             * @example false
             */
            upgrade_pending: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description In the future. Null: it does not end by itself.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            revoked_at: string | null;
            app: components["schemas"]["NamedDto"];
            /** @description You; null for the app. */
            user: components["schemas"]["NamedUserDto"] | null;
            /** @description Null for the app. */
            profile: components["schemas"]["NamedDto"] | null;
            /**
             * Format: date-time
             * @description The last use that the access log knows, of 90 days; null for the app.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * @description The reason that the app stated.
             * @example Weekly review of goals
             */
            purpose: string | null;
            /**
             * @description The permissions as approved, as scopes of OAuth.
             * @example [
             *       "graph:read"
             *     ]
             */
            scopes: string[];
            client: components["schemas"]["ClientDto"];
            /**
             * @description The number of devices that are connected by tokens; null for the app.
             * @example 1
             */
            sessions: number | null;
            /** @description With include_node_counts: the number of your own nodes that the app may read, propose changes to, edit and delete; null for an app that may not be used now. */
            node_counts?: components["schemas"]["VerbCountsDto"] | null;
            /**
             * @description Key of the app bound to this authorization; shown only now, not when one was replaced.
             * @example pig_user_<30 characters><checksum>
             */
            user_key?: string;
        };
        UpdateAuthorizationBody: {
            /**
             * Format: uuid
             * @description Id of one of your profiles, from GET /exposure-profiles.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id?: string;
            /**
             * Format: date-time
             * @description In the future. Null: it does not end by itself.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description The scopes that remain: some of those approved. The others need a new request of the app.
             * @example [
             *       "graph:discover",
             *       "graph:read",
             *       "graph:propose",
             *       "graph:create",
             *       "graph:edit",
             *       "graph:delete",
             *       "files:read"
             *     ]
             */
            scopes?: ("graph:discover" | "graph:read" | "graph:propose" | "graph:create" | "graph:edit" | "graph:delete" | "files:read")[];
        };
        AppSessionDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "ended";
            /**
             * @description The device as its client says it; null if it says none.
             * @example Claude Code on a laptop
             */
            device: string | null;
            /**
             * @example [
             *       "graph:read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last time that the device was issued tokens.
             * @example 2026-01-31T12:00:00.000Z
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @example null
             */
            ended_at: string | null;
            /**
             * @description The reason of its end. `refresh_token_reused`, `code_reused`: what it connected with was used a second time, by somebody who may have copied it. `unused`: its tokens expired. Null for ends before reasons were stored.
             * @example null
             * @enum {string|null}
             */
            end_reason: "ended_by_person" | "revoked_by_client" | "refresh_token_reused" | "code_reused" | "authorization_ended" | "unused" | null;
        };
        AppSessionsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            sessions: components["schemas"]["AppSessionDto"][];
        };
        EndedSessionDto: {
            /** @example Session ended */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        CreateProfileBody: {
            /** @example What colleagues may see. */
            description?: string | null;
            /**
             * @description true: the profile becomes the default instead of the present one.
             * @example false
             */
            is_default?: boolean;
            /**
             * @description false: allows nothing and suspends its authorizations.
             * @example true
             */
            is_active?: boolean;
            tag_permissions?: components["schemas"]["TagPermissionsBody"];
            schema_permissions?: components["schemas"]["SchemaPermissionsBody"];
            tag_filters?: components["schemas"]["TagFiltersBody"];
            /**
             * @description Only nodes whose tags fit; null or absent: no restriction.
             * @example {
             *       "op": "AND",
             *       "conditions": [
             *         {
             *           "tag": "work"
             *         },
             *         {
             *           "op": "OR",
             *           "conditions": [
             *             {
             *               "tag": "public"
             *             },
             *             {
             *               "tag": "team"
             *             }
             *           ]
             *         }
             *       ]
             *     }
             */
            tag_expression?: components["schemas"]["TagExpression"] | null;
            /**
             * @description Legacy: only nodes with these tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_tag_ids?: string[];
            /**
             * @description Legacy: no nodes with these tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            excluded_tag_ids?: string[];
            /**
             * @description How allowed_tag_ids are joined.
             * @example OR
             * @enum {string}
             */
            allowed_tags_logic?: "OR" | "AND";
            /**
             * @description Single nodes, readable regardless of their tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_node_ids?: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            allowed_node_types?: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            excluded_node_types?: string[];
            /**
             * Format: date-time
             * @description Only nodes created then or later.
             * @example 2024-01-01T00:00:00.000Z
             */
            date_range_start?: string | null;
            /**
             * Format: date-time
             * @description Only nodes created then or before.
             * @example 2026-12-31T23:59:59.999Z
             */
            date_range_end?: string | null;
            /**
             * @description Applied in order to readable nodes; at most 20, of which 4 pii_redaction, with 200 paths in all and 40 with *.
             * @example [
             *       {
             *         "type": "pii_redaction",
             *         "config": {
             *           "entities": [
             *             "email",
             *             "phone"
             *           ]
             *         }
             *       }
             *     ]
             */
            transformations?: ({
                /** @enum {string} */
                type: "pii_redaction";
                config?: {
                    /** @description Absent: all of them. */
                    entities?: ("email" | "iban" | "credit_card" | "ssn" | "ip" | "phone" | "url")[];
                    /** @description Absent: `[REDACTED:<entity>]`. */
                    replacement?: string;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "field_mask";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                    /**
                     * @description `hash` a digest, `last4` the last four characters.
                     * @default remove
                     * @enum {string}
                     */
                    strategy: "remove" | "null" | "hash" | "last4";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "truncate";
                config: {
                    /** @example metadata.properties.email */
                    field: string;
                    /** @description Characters that stay. */
                    max: number;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "round_date";
                config?: {
                    /**
                     * @default day
                     * @enum {string}
                     */
                    granularity: "day" | "month" | "year";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "pseudonymize";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | ("pii_redaction" | "round_date"))[];
            /**
             * @description The fields of a readable node that are shown.
             * @example summary
             * @enum {string}
             */
            max_detail_level?: "full" | "summary" | "minimal";
            /** @example Work only */
            name: string;
        };
        TagPermissionDto: {
            /**
             * @description Ids of own tags.
             * @example [
             *       "c41d7e52-08b9-4f63-a2e7-5d90b3f81a6c"
             *     ]
             */
            tag_ids: string[];
            /**
             * @description Every tag, and nodes without any.
             * @example false
             */
            allow_all: boolean;
        };
        AssigningPermissionDto: {
            /**
             * @description Ids of own tags.
             * @example [
             *       "c41d7e52-08b9-4f63-a2e7-5d90b3f81a6c"
             *     ]
             */
            tag_ids: string[];
            /**
             * @description Every tag, and nodes without any.
             * @example false
             */
            allow_all: boolean;
            /**
             * @description Tags that do not exist yet; counts only where every tag may be discovered. Absent: the same as allow_all.
             * @example false
             */
            allow_new?: boolean;
        };
        TagPermissionsDto: {
            discover: components["schemas"]["TagPermissionDto"];
            read: components["schemas"]["TagPermissionDto"];
            propose: components["schemas"]["AssigningPermissionDto"];
            edit: components["schemas"]["AssigningPermissionDto"];
            create: components["schemas"]["AssigningPermissionDto"];
            delete?: components["schemas"]["TagPermissionDto"];
        };
        SchemaPermissionDto: {
            /**
             * @description Ids of schemas; `__freeform__` means nodes without one.
             * @example [
             *       "__freeform__"
             *     ]
             */
            schema_ids: string[];
            /** @example false */
            allow_all: boolean;
        };
        SchemaPermissionsDto: {
            read: components["schemas"]["SchemaPermissionDto"];
            write: components["schemas"]["SchemaPermissionDto"];
        };
        TagFiltersDto: {
            /**
             * @example [
             *       "work"
             *     ]
             */
            include_all: string[];
            /**
             * @example [
             *       "work"
             *     ]
             */
            include_any: string[];
            /**
             * @example [
             *       "work"
             *     ]
             */
            exclude_any: string[];
        };
        ExposureProfileDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Work only */
            name: string;
            /** @example What colleagues may see. */
            description: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string;
            /** @example false */
            is_default: boolean;
            /** @example true */
            is_active: boolean;
            tag_permissions: components["schemas"]["TagPermissionsDto"];
            schema_permissions: components["schemas"]["SchemaPermissionsDto"];
            tag_filters: components["schemas"]["TagFiltersDto"];
            /**
             * @description Only nodes whose tags fit; null or absent: no restriction.
             * @example {
             *       "op": "AND",
             *       "conditions": [
             *         {
             *           "tag": "work"
             *         },
             *         {
             *           "op": "OR",
             *           "conditions": [
             *             {
             *               "tag": "public"
             *             },
             *             {
             *               "tag": "team"
             *             }
             *           ]
             *         }
             *       ]
             *     }
             */
            tag_expression: components["schemas"]["TagExpression"] | null;
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_tag_ids: string[];
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            excluded_tag_ids: string[];
            /**
             * @description How allowed_tag_ids are joined.
             * @example OR
             * @enum {string}
             */
            allowed_tags_logic: "OR" | "AND";
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_node_ids: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            allowed_node_types: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            excluded_node_types: string[];
            /**
             * Format: date-time
             * @description Only nodes created then or later.
             * @example 2024-01-01T00:00:00.000Z
             */
            date_range_start: string | null;
            /**
             * Format: date-time
             * @description Only nodes created then or before.
             * @example 2026-12-31T23:59:59.999Z
             */
            date_range_end: string | null;
            /**
             * @description Applied in order to readable nodes; at most 20, of which 4 pii_redaction, with 200 paths in all and 40 with *.
             * @example [
             *       {
             *         "type": "pii_redaction",
             *         "config": {
             *           "entities": [
             *             "email",
             *             "phone"
             *           ]
             *         }
             *       }
             *     ]
             */
            transformations: ({
                /** @enum {string} */
                type: "pii_redaction";
                config?: {
                    /** @description Absent: all of them. */
                    entities?: ("email" | "iban" | "credit_card" | "ssn" | "ip" | "phone" | "url")[];
                    /** @description Absent: `[REDACTED:<entity>]`. */
                    replacement?: string;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "field_mask";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                    /**
                     * @description `hash` a digest, `last4` the last four characters.
                     * @default remove
                     * @enum {string}
                     */
                    strategy: "remove" | "null" | "hash" | "last4";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "truncate";
                config: {
                    /** @example metadata.properties.email */
                    field: string;
                    /** @description Characters that stay. */
                    max: number;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "round_date";
                config?: {
                    /**
                     * @default day
                     * @enum {string}
                     */
                    granularity: "day" | "month" | "year";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "pseudonymize";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | ("pii_redaction" | "round_date"))[];
            /**
             * @description The fields of a readable node that are shown.
             * @example summary
             * @enum {string}
             */
            max_detail_level: "full" | "summary" | "minimal";
            /**
             * @description Its revision, which in quotes is its ETag.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
        };
        ExposureProfilesDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            exposure_profiles: components["schemas"]["ExposureProfileDto"][];
        };
        ExposureProfileDetailDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Work only */
            name: string;
            /** @example What colleagues may see. */
            description: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string;
            /** @example false */
            is_default: boolean;
            /** @example true */
            is_active: boolean;
            tag_permissions: components["schemas"]["TagPermissionsDto"];
            schema_permissions: components["schemas"]["SchemaPermissionsDto"];
            tag_filters: components["schemas"]["TagFiltersDto"];
            /**
             * @description Only nodes whose tags fit; null or absent: no restriction.
             * @example {
             *       "op": "AND",
             *       "conditions": [
             *         {
             *           "tag": "work"
             *         },
             *         {
             *           "op": "OR",
             *           "conditions": [
             *             {
             *               "tag": "public"
             *             },
             *             {
             *               "tag": "team"
             *             }
             *           ]
             *         }
             *       ]
             *     }
             */
            tag_expression: components["schemas"]["TagExpression"] | null;
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_tag_ids: string[];
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            excluded_tag_ids: string[];
            /**
             * @description How allowed_tag_ids are joined.
             * @example OR
             * @enum {string}
             */
            allowed_tags_logic: "OR" | "AND";
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            allowed_node_ids: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            allowed_node_types: string[];
            /**
             * @example [
             *       "ENTITY"
             *     ]
             */
            excluded_node_types: string[];
            /**
             * Format: date-time
             * @description Only nodes created then or later.
             * @example 2024-01-01T00:00:00.000Z
             */
            date_range_start: string | null;
            /**
             * Format: date-time
             * @description Only nodes created then or before.
             * @example 2026-12-31T23:59:59.999Z
             */
            date_range_end: string | null;
            /**
             * @description Applied in order to readable nodes; at most 20, of which 4 pii_redaction, with 200 paths in all and 40 with *.
             * @example [
             *       {
             *         "type": "pii_redaction",
             *         "config": {
             *           "entities": [
             *             "email",
             *             "phone"
             *           ]
             *         }
             *       }
             *     ]
             */
            transformations: ({
                /** @enum {string} */
                type: "pii_redaction";
                config?: {
                    /** @description Absent: all of them. */
                    entities?: ("email" | "iban" | "credit_card" | "ssn" | "ip" | "phone" | "url")[];
                    /** @description Absent: `[REDACTED:<entity>]`. */
                    replacement?: string;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "field_mask";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                    /**
                     * @description `hash` a digest, `last4` the last four characters.
                     * @default remove
                     * @enum {string}
                     */
                    strategy: "remove" | "null" | "hash" | "last4";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "truncate";
                config: {
                    /** @example metadata.properties.email */
                    field: string;
                    /** @description Characters that stay. */
                    max: number;
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "round_date";
                config?: {
                    /**
                     * @default day
                     * @enum {string}
                     */
                    granularity: "day" | "month" | "year";
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | {
                /** @enum {string} */
                type: "pseudonymize";
                config: {
                    /** @description Dotted paths; what is below goes with them. */
                    paths: string[];
                };
                /** @description The scope: all given lists must match. Absent: every node and field. */
                apply_to?: {
                    /** @description Nodes with one of these tags. */
                    tag_ids?: string[];
                    /** @description Nodes of one of these types. */
                    node_types?: string[];
                    /** @description Only what is at or below one of these paths. */
                    fields?: string[];
                };
            } | ("pii_redaction" | "round_date"))[];
            /**
             * @description The fields of a readable node that are shown.
             * @example summary
             * @enum {string}
             */
            max_detail_level: "full" | "summary" | "minimal";
            /**
             * @description Its revision, which in quotes is its ETag.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description Unless include_yaml=false.
             * @example name: Work only
             */
            yaml?: string;
            /**
             * @description Names by tag id, unless resolve_tag_names=false.
             * @example {
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94": "work"
             *     }
             */
            tag_names?: {
                [key: string]: unknown;
            };
        };
        FromTemplateBody: {
            /**
             * @description transparent grants everything, restrictive almost nothing.
             * @example restrictive
             * @enum {string}
             */
            template: "transparent" | "restrictive";
            /** @example Work only */
            name: string;
        };
        DeletedProfileDto: {
            /** @example Exposure profile deleted */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        PastNodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
            /**
             * Format: uuid
             * @description The node into which a merge has moved this deleted node; for the owner.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_into?: string;
        };
        TimelineEntryDto: {
            /**
             * @description The node's version that the change made.
             * @example 2
             */
            version: number;
            /** @example 2026-01-31T12:00:00.000Z */
            changed_at: string;
            /**
             * @description created, updated, deleted, restored, tag_added, tag_removed or merged. A change of tags that are hidden from the caller is `updated`.
             * @example updated
             */
            change_type: string;
            /**
             * @description Shown at full detail only.
             * @example It has begun.
             */
            change_reason: string | null;
            /**
             * @description `user`, `agent`, `app` or `system`.
             * @example agent
             */
            changed_by_type: string;
            /**
             * @description The user for whom it was done.
             * @example null
             */
            changed_by_user_id: string | null;
            /**
             * @description The app that did it.
             * @example null
             */
            changed_by_app_id: string | null;
            /**
             * @description The agent that was named, as the profile shows agents.
             * @example null
             */
            changed_by_agent_id: string | null;
            /**
             * @description The proposal that was applied.
             * @example null
             */
            proposal_id: string | null;
            /**
             * @description The agent metadata of the write.
             * @example null
             */
            agent_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Field → `{old, new}`, as far as both are shown to the caller.
             * @example {
             *       "title": {
             *         "old": "Learn to sail",
             *         "new": "Sail to Corsica"
             *       }
             *     }
             */
            changed_fields: {
                [key: string]: unknown;
            };
            /** @description The node as it was then. */
            snapshot?: components["schemas"]["PastNodeDto"];
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
        };
        TimelineDto: {
            /** @description Newest first. */
            history: components["schemas"]["TimelineEntryDto"][];
            /**
             * @description The number of all changes that the caller can read.
             * @example 1
             */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
        };
        HistoryEntryDto: {
            /**
             * @description The node's version that the change made.
             * @example 2
             */
            version: number;
            /** @example 2026-01-31T12:00:00.000Z */
            changed_at: string;
            /**
             * @description created, updated, deleted, restored, tag_added, tag_removed or merged. A change of tags that are hidden from the caller is `updated`.
             * @example updated
             */
            change_type: string;
            /**
             * @description Shown at full detail only.
             * @example It has begun.
             */
            change_reason: string | null;
            /**
             * @description `user`, `agent`, `app` or `system`.
             * @example agent
             */
            changed_by_type: string;
            /**
             * @description The user for whom it was done.
             * @example null
             */
            changed_by_user_id: string | null;
            /**
             * @description The app that did it.
             * @example null
             */
            changed_by_app_id: string | null;
            /**
             * @description The agent that was named, as the profile shows agents.
             * @example null
             */
            changed_by_agent_id: string | null;
            /**
             * @description The proposal that was applied.
             * @example null
             */
            proposal_id: string | null;
            /**
             * @description The agent metadata of the write.
             * @example null
             */
            agent_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Field → `{old, new}`, as far as both are shown to the caller.
             * @example {
             *       "title": {
             *         "old": "Learn to sail",
             *         "new": "Sail to Corsica"
             *       }
             *     }
             */
            changed_fields: {
                [key: string]: unknown;
            };
            /** @description The node as it was then. */
            snapshot?: components["schemas"]["PastNodeDto"];
        };
        HistoryDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /** @description Newest first. */
            history: components["schemas"]["HistoryEntryDto"][];
        };
        VersionAtTimeDto: {
            /**
             * @description The node's version that the change made.
             * @example 2
             */
            version: number;
            /** @example 2026-01-31T12:00:00.000Z */
            changed_at: string;
            /**
             * @description created, updated, deleted, restored, tag_added, tag_removed or merged. A change of tags that are hidden from the caller is `updated`.
             * @example updated
             */
            change_type: string;
            /**
             * @description Shown at full detail only.
             * @example It has begun.
             */
            change_reason: string | null;
            /**
             * @description `user`, `agent`, `app` or `system`.
             * @example agent
             */
            changed_by_type: string;
            /**
             * @description The user for whom it was done.
             * @example null
             */
            changed_by_user_id: string | null;
            /**
             * @description The app that did it.
             * @example null
             */
            changed_by_app_id: string | null;
            /**
             * @description The agent that was named, as the profile shows agents.
             * @example null
             */
            changed_by_agent_id: string | null;
            /**
             * @description The proposal that was applied.
             * @example null
             */
            proposal_id: string | null;
            /**
             * @description The agent metadata of the write.
             * @example null
             */
            agent_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Field → `{old, new}`, as far as both are shown to the caller.
             * @example {
             *       "title": {
             *         "old": "Learn to sail",
             *         "new": "Sail to Corsica"
             *       }
             *     }
             */
            changed_fields: {
                [key: string]: unknown;
            };
            /** @description The node as it was then. */
            snapshot: components["schemas"]["PastNodeDto"];
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * @description The requested time.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
        };
        VersionDto: {
            /**
             * @description The node's version that the change made.
             * @example 2
             */
            version: number;
            /** @example 2026-01-31T12:00:00.000Z */
            changed_at: string;
            /**
             * @description created, updated, deleted, restored, tag_added, tag_removed or merged. A change of tags that are hidden from the caller is `updated`.
             * @example updated
             */
            change_type: string;
            /**
             * @description Shown at full detail only.
             * @example It has begun.
             */
            change_reason: string | null;
            /**
             * @description `user`, `agent`, `app` or `system`.
             * @example agent
             */
            changed_by_type: string;
            /**
             * @description The user for whom it was done.
             * @example null
             */
            changed_by_user_id: string | null;
            /**
             * @description The app that did it.
             * @example null
             */
            changed_by_app_id: string | null;
            /**
             * @description The agent that was named, as the profile shows agents.
             * @example null
             */
            changed_by_agent_id: string | null;
            /**
             * @description The proposal that was applied.
             * @example null
             */
            proposal_id: string | null;
            /**
             * @description The agent metadata of the write.
             * @example null
             */
            agent_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Field → `{old, new}`, as far as both are shown to the caller.
             * @example {
             *       "title": {
             *         "old": "Learn to sail",
             *         "new": "Sail to Corsica"
             *       }
             *     }
             */
            changed_fields: {
                [key: string]: unknown;
            };
            /** @description The node as it was then. */
            snapshot: components["schemas"]["PastNodeDto"];
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
        };
        ContributionDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * Format: uuid
             * @description The node that it was made to, and whose version is given, if a merge has moved it here. Only the owner sees it.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_from?: string;
            /**
             * @description The node's version that contains it.
             * @example 1
             */
            version: number;
            /**
             * @description The same as field_path.
             * @example metadata.properties.status
             */
            field_name: string;
            /** @example metadata.properties.status */
            field_path: string;
            /**
             * @description The value as the profile shows it.
             * @example active
             */
            contributed_value: unknown;
            /**
             * @description The confidence that the agent gave; part of its metadata.
             * @example 0.9
             */
            confidence_score: number | null;
            /** @example 2026-01-31T12:00:00.000Z */
            contributed_at: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "superseded" | "rejected" | "merged";
            /**
             * @description The id of the agent, or of the app or user if no agent was named.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            contributor_id: string | null;
            /**
             * @description `agent`, `user`, `app` or `system`.
             * @example agent
             */
            contributor_type: string;
        };
        NodeContributionsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /** @description Newest first. */
            contributions: components["schemas"]["ContributionDto"][];
        };
        LedgerAgentDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            agent_id: string;
            /** @example note-reader */
            agent_name: string | null;
            /** @example extractor */
            agent_type: string | null;
            /** @example 3 */
            contribution_count: number;
            /** @example 2026-01-31T12:00:00.000Z */
            last_contribution: string;
        };
        LedgerDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * @description The same as `total`.
             * @example 1
             */
            total_agents: number;
            /** @description Sorted by the number of contributions. */
            agents: components["schemas"]["LedgerAgentDto"][];
        };
        AgentContributionDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * Format: uuid
             * @description The node that it was made to, and whose version is given, if a merge has moved it here. Only the owner sees it.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_from?: string;
            /**
             * @description The node's version that contains it.
             * @example 1
             */
            version: number;
            /**
             * @description The same as field_path.
             * @example metadata.properties.status
             */
            field_name: string;
            /** @example metadata.properties.status */
            field_path: string;
            /**
             * @description The value as the profile shows it.
             * @example active
             */
            contributed_value: unknown;
            /**
             * @description The confidence that the agent gave; part of its metadata.
             * @example 0.9
             */
            confidence_score: number | null;
            /** @example 2026-01-31T12:00:00.000Z */
            contributed_at: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "superseded" | "rejected" | "merged";
            /**
             * @description The node's title now, as the profile shows it.
             * @example Learn to sail
             */
            node_title: string | null;
        };
        AgentContributionsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            agent_id: string;
            /** @description Newest first. */
            contributions: components["schemas"]["AgentContributionDto"][];
        };
        BeginSessionBody: {
            /**
             * @description The name that writes use in `agent_metadata.session_id`; its own id works as well.
             * @example import-2026-01
             */
            external_id?: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            agent_id?: string;
            /** @example note-reader */
            agent_name?: string;
        };
        SessionStatisticsDto: {
            /** @example 4 */
            total_contributions: number;
            /** @example 2 */
            unique_nodes: number;
            /** @example 1 */
            unique_contributors: number;
        };
        SessionDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example import-2026-01 */
            external_id: string | null;
            /**
             * @example processing
             * @enum {string}
             */
            status: "created" | "processing" | "completed" | "failed";
            /** @example null */
            agent_id: string | null;
            /** @example note-reader */
            agent_name: string | null;
            /**
             * @description The app that began it; null: the user.
             * @example null
             */
            app_id: string | null;
            /** @example 2026-01-31T12:00:00.000Z */
            created_at: string | null;
            /** @example 2026-01-31T12:00:00.000Z */
            started_at: string | null;
            /** @example null */
            completed_at: string | null;
            /** @example null */
            error: string | null;
            /** @description Counts only nodes that the caller can read. */
            statistics: components["schemas"]["SessionStatisticsDto"];
        };
        SessionsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @description Newest first. */
            sessions: components["schemas"]["SessionDto"][];
        };
        AdvanceSessionBody: {
            /**
             * @example completed
             * @enum {string}
             */
            status: "created" | "processing" | "completed" | "failed";
            /**
             * @description The error that ended it.
             * @example null
             */
            error?: string | null;
        };
        AgentStatsDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            agent_id: string;
            /** @example note-reader */
            agent_name: string | null;
            /** @example 4 */
            total_contributions: number;
            /** @example 2 */
            nodes_affected: number;
            /**
             * @description The average over contributions with a confidence.
             * @example 0.9
             */
            avg_confidence: number | null;
            /** @example 3 */
            active_contributions: number;
            /** @example 1 */
            superseded_contributions: number;
            /** @example 2026-01-31T12:00:00.000Z */
            first_contribution: string;
            /** @example 2026-01-31T12:00:00.000Z */
            last_contribution: string;
        };
        AgentStatsAnswerDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @description Sorted by the number of contributions. */
            agent_stats: components["schemas"]["AgentStatsDto"][];
            /**
             * @description The same as `total`.
             * @example 1
             */
            total_agents: number;
        };
        HistorySizesDto: {
            /** @example 12 */
            total_history_records: number;
            /** @example 5 */
            nodes_with_history: number;
        };
        ContributionSizesDto: {
            /**
             * @description Includes contributions of apps that named no agent.
             * @example 20
             */
            total_contributions: number;
            /** @example 8 */
            agent_contributions: number;
            /** @example 10 */
            user_contributions: number;
        };
        SessionSizesDto: {
            /** @example 3 */
            total_sessions: number;
            /** @example 2 */
            completed_sessions: number;
            /**
             * @description The share of completed sessions among completed and failed ones, 0 to 1; 0 if there are none.
             * @example 1
             */
            success_rate: number;
        };
        HistoryStatsDto: {
            history_stats: components["schemas"]["HistorySizesDto"];
            contribution_stats: components["schemas"]["ContributionSizesDto"];
            session_stats: components["schemas"]["SessionSizesDto"];
        };
        SnapshotNodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title: string;
            /** @example GOAL */
            node_type: string;
            /** @example IDENTITY */
            meaning_level: string;
            /** @example 0.8 */
            importance_score: number | null;
            /** @example 2026-01-31T12:00:00.000Z */
            created_at: string;
        };
        SnapshotRelationshipDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            from_node_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            to_node_id: string;
            /** @example related_to */
            relationship_type: string;
            /** @example 0.5 */
            strength: number | null;
        };
        SnapshotDto: {
            /**
             * @description The time of this snapshot.
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            /** @description In the order in which they were added to the graph. */
            nodes: components["schemas"]["SnapshotNodeDto"][];
            relationships: components["schemas"]["SnapshotRelationshipDto"][];
            /** @example 1 */
            total_nodes: number;
            /** @example 0 */
            total_relationships: number;
        };
        NodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
        };
        CreatedEntryDto: {
            /**
             * @description With `include`.
             * @example node
             * @enum {string}
             */
            entity?: "node";
            /**
             * @example create
             * @enum {string}
             */
            action: "create";
            /**
             * @description The time of that change, or of the change of rules or of a tag that caused the entry.
             * @example 2026-03-01T10:00:00.000Z
             */
            timestamp: string | null;
            /**
             * @description The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.
             * @example 42
             */
            version: number;
            /**
             * @description The node's own version.
             * @example 1
             */
            node_version?: number;
            node: components["schemas"]["NodeDto"];
        };
        UpdatedEntryDto: {
            /**
             * @description With `include`.
             * @example node
             * @enum {string}
             */
            entity?: "node";
            /**
             * @example update
             * @enum {string}
             */
            action: "update";
            /**
             * @description The time of that change, or of the change of rules or of a tag that caused the entry.
             * @example 2026-03-01T10:00:00.000Z
             */
            timestamp: string | null;
            /**
             * @description The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.
             * @example 42
             */
            version: number;
            /**
             * @description The node's own version.
             * @example 1
             */
            node_version?: number;
            node: components["schemas"]["NodeDto"];
            /**
             * @description Fields that you were shown with another value before; never updated_at and version.
             * @example [
             *       "title"
             *     ]
             */
            changed_fields: string[];
        };
        DeletedEntryDto: {
            /**
             * @description With `include`.
             * @example node
             * @enum {string}
             */
            entity?: "node";
            /**
             * @example delete
             * @enum {string}
             */
            action: "delete";
            /**
             * @description The time of that change, or of the change of rules or of a tag that caused the entry.
             * @example 2026-03-01T10:00:00.000Z
             */
            timestamp: string | null;
            /**
             * @description The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.
             * @example 42
             */
            version: number;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            node_id: string;
            /**
             * @description The last title that you could see.
             * @example Learn to sail
             */
            deleted_title: string | null;
            /**
             * @example deleted
             * @enum {string}
             */
            reason: "deleted" | "access_removed" | "scope_left";
        };
        IdEntryDto: {
            /**
             * @description With `include`.
             * @example node
             * @enum {string}
             */
            entity?: "node";
            /**
             * @example update
             * @enum {string}
             */
            action: "create" | "update" | "delete";
            /**
             * @description The time of that change, or of the change of rules or of a tag that caused the entry.
             * @example 2026-03-01T10:00:00.000Z
             */
            timestamp: string | null;
            /**
             * @description The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.
             * @example 42
             */
            version: number;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            node_id: string;
        };
        RelationshipDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            from_node_id: string;
            /**
             * Format: uuid
             * @example e7a04b93-5c1f-4e28-9b76-2a8d6f3c0e15
             */
            to_node_id: string;
            /**
             * @description Missing at detail minimal.
             * @example references
             */
            relationship_type?: string | null;
            /** @example 0.8 */
            strength?: number | null;
            /** @example 0.8 */
            confidence?: number | null;
            /**
             * @description Present at detail full.
             * @example Quoted in the second paragraph
             */
            context?: string | null;
            /**
             * @description True if it was created together with one in the other direction.
             * @example false
             */
            bidirectional?: boolean | null;
            /**
             * @example identity
             * @enum {string|null}
             */
            graph_view?: "identity" | "neutral" | null;
            /**
             * @description Missing at detail minimal.
             * @example positive
             */
            emotion_type?: string | null;
            /** @example 0.4 */
            sentiment_score?: number | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description Missing when any part of the graph is hidden from you.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at?: string | null;
            /**
             * @description Missing when any part of the graph is hidden from you.
             * @example 1
             */
            version?: number | null;
        };
        RelationshipEntryDto: {
            /**
             * @example create
             * @enum {string}
             */
            action: "create" | "update" | "delete";
            /**
             * @description Null for callers from whom anything of the graph is hidden.
             * @example 2026-03-01T10:00:00.000Z
             */
            timestamp: string | null;
            /**
             * @description The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.
             * @example 42
             */
            version: number;
            /**
             * @description In an update: fields that you were shown with another value before.
             * @example [
             *       "strength"
             *     ]
             */
            changed_fields?: string[];
            /**
             * @description In a deletion.
             * @example deleted
             * @enum {string}
             */
            reason?: "deleted" | "access_removed" | "scope_left";
            /**
             * @example relationship
             * @enum {string}
             */
            entity: "relationship";
            relationship?: components["schemas"]["RelationshipDto"];
            /**
             * @description In a deletion, and with `ids_only`.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            relationship_id?: string;
        };
        TagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example work */
            name: string;
            /**
             * @description Missing for callers who may know only the name of the tag.
             * @example #3366CC
             */
            color?: string | null;
            /**
             * @description Missing for callers who may know only the name of the tag.
             * @example topic
             */
            category?: string | null;
            /**
             * @description Missing for callers who may know only the name of the tag.
             * @example Everything about my job
             */
            description?: string | null;
            /**
             * Format: uuid
             * @description Missing for callers who may know only the name of the tag. Null also for a parent you may not know.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            parent_tag_id?: string | null;
            /**
             * Format: uuid
             * @description Missing for callers who may know only the name of the tag.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id?: string;
            /**
             * Format: date-time
             * @description Missing for callers who may know only the name of the tag.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description Missing when any part of the graph is hidden from you.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at?: string;
        };
        TagEntryDto: {
            /**
             * @example create
             * @enum {string}
             */
            action: "create" | "update" | "delete";
            /**
             * @description Null for callers from whom anything of the graph is hidden.
             * @example 2026-03-01T10:00:00.000Z
             */
            timestamp: string | null;
            /**
             * @description The owner's sequence number of the node's last change; for an app that may not see all of the graph, the number of this entry, counted from 1 for each replica.
             * @example 42
             */
            version: number;
            /**
             * @description In an update: fields that you were shown with another value before.
             * @example [
             *       "strength"
             *     ]
             */
            changed_fields?: string[];
            /**
             * @description In a deletion.
             * @example deleted
             * @enum {string}
             */
            reason?: "deleted" | "access_removed" | "scope_left";
            /**
             * @example tag
             * @enum {string}
             */
            entity: "tag";
            tag?: components["schemas"]["TagDto"];
            /**
             * @description In a deletion, and with `ids_only`.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id?: string;
        };
        SyncStatsDto: {
            /** @example 1 */
            created: number;
            /** @example 0 */
            updated: number;
            /** @example 0 */
            deleted: number;
            /** @example 1 */
            total: number;
        };
        SyncPageDto: {
            /** @description The entries, to be applied in this order. */
            changes: (components["schemas"]["CreatedEntryDto"] | components["schemas"]["UpdatedEntryDto"] | components["schemas"]["DeletedEntryDto"] | components["schemas"]["IdEntryDto"] | components["schemas"]["RelationshipEntryDto"] | components["schemas"]["TagEntryDto"])[];
            /**
             * @description The cursor for the next page; the last page has one as well. It never expires.
             * @example q0Xh3sJt7nL2v5w8yB1dF4gK6mP9rT0uX3zA5cE7hJ2kM4nQ6sV8
             */
            cursor: string;
            /**
             * @description True if there is another page to request at once, with the cursor.
             * @example false
             */
            has_more: boolean;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @description Counts of this page. */
            stats: components["schemas"]["SyncStatsDto"];
        };
        ScopeStatusDto: {
            /**
             * @description The time of the last pull of the app.
             * @example 2026-03-01T10:00:00.000Z
             */
            last_sync_at: string;
            /**
             * @description The number up to which everything was delivered.
             * @example 42
             */
            last_version_seen: number;
            /**
             * @description Entries that pulls would give; at most 1,000 are counted.
             * @example 0
             */
            pending_changes: number;
            /**
             * @description There are more than were counted.
             * @example false
             */
            pending_more: boolean;
        };
        SyncStatusDto: {
            /**
             * @description The newest sequence number of the graph; for an app that may not see all of it the number of the last pending entry of scope `all`.
             * @example 42
             */
            total_versions: number;
            /**
             * @description The time of the newest change that you can see.
             * @example 2026-03-01T10:00:00.000Z
             */
            latest_change: string | null;
            /**
             * @description The last pull of this app, in any scope.
             * @example 2026-03-01T10:00:00.000Z
             */
            last_sync_at: string | null;
            /**
             * @description Entries that pulls of scope `all` would give; at most 1,000 are counted.
             * @example 0
             */
            pending_changes: number;
            /**
             * @description There are more than were counted.
             * @example false
             */
            pending_more: boolean;
            /**
             * @description For apps: the positions by scope, for the 50 scopes that were synchronized last.
             * @example {
             *       "all": {
             *         "last_sync_at": "2026-03-01T10:00:00.000Z",
             *         "last_version_seen": 42,
             *         "pending_changes": 0,
             *         "pending_more": false
             *       }
             *     }
             */
            scopes?: {
                [key: string]: components["schemas"]["ScopeStatusDto"];
            };
        };
        SyncTicketDto: {
            /**
             * @description For `GET /sync/stream?ticket=…`, once.
             * @example wJ3n0bq8kR5tZ1xV7yC4mL9aF2sD6gH0pE8uI5oT3rQ
             */
            ticket: string;
            /**
             * Format: date-time
             * @example 2026-03-01T10:00:00.000Z
             */
            expires_at: string;
        };
        ActionErrorDto: {
            /** @example action-1 */
            action_id: string;
            /**
             * @example UPDATE_NODE
             * @enum {string}
             */
            type: "CREATE_NODE" | "UPDATE_NODE" | "DELETE_NODE" | "MERGE_NODES" | "CREATE_RELATIONSHIP" | "UPDATE_RELATIONSHIP" | "DELETE_RELATIONSHIP" | "ADD_TAGS" | "REMOVE_TAGS";
            /**
             * @description CONFLICT, or a code of this service.
             * @example CONFLICT
             */
            code: string;
            /** @example The fields have changed since this action was proposed */
            message: string;
            /**
             * @description For a conflict: the fields that changed, as far as you are shown them.
             * @example [
             *       "title"
             *     ]
             */
            fields?: string[];
        };
        CreatedThingsDto: {
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            node_ids: string[];
            /** @example [] */
            relationship_ids: string[];
            /** @example [] */
            tag_ids: string[];
        };
        ApplyResultDto: {
            /** @example 1 */
            nodes_created: number;
            /** @example 0 */
            relationships_created: number;
            /** @example 0 */
            tags_created: number;
            /**
             * @description The actions that were not applied, with the reason. They undid nothing else.
             * @example []
             */
            errors: components["schemas"]["ActionErrorDto"][];
            created: components["schemas"]["CreatedThingsDto"];
        };
        ProposalEventDataDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /** @example A goal from your notes */
            title: string;
            /** @example You wrote about sailing. */
            description: string | null;
            /** @enum {string} */
            type: "CREATE_NODE" | "UPDATE_NODE" | "DELETE_NODE" | "MERGE_NODES" | "CREATE_RELATIONSHIP" | "UPDATE_RELATIONSHIP" | "DELETE_RELATIONSHIP" | "ADD_TAGS" | "REMOVE_TAGS" | "BATCH";
            /** @enum {string} */
            status: "PENDING" | "READY_FOR_APPROVAL" | "APPROVED" | "REJECTED" | "APPLIED" | "FAILED";
            /** @enum {string} */
            graph_view: "identity" | "neutral";
            /**
             * @example {
             *       "note": "I want to learn to sail"
             *     }
             */
            raw_data: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "title": "Learn to sail",
             *       "node_type": "GOAL"
             *     }
             */
            canonical_data: {
                [key: string]: unknown;
            } | null;
            /**
             * @example [
             *       "sea"
             *     ]
             */
            tags: string[];
            /** @example null */
            entity_tags: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            reasoning_metadata: {
                [key: string]: unknown;
            } | null;
            /** @example [] */
            actions: {
                [key: string]: unknown;
            }[];
            /**
             * @description Raised by every change of the proposed content.
             * @example 1
             */
            revision: number;
            /**
             * @description The user's words when approving.
             * @example null
             */
            message: string | null;
            /** @example null */
            rejection_reason: string | null;
            result: components["schemas"]["ApplyResultDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @example null
             */
            reviewed_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            applied_at: string | null;
            /**
             * Format: date-time
             * @description The time of its reversion.
             * @example null
             */
            reverted_at: string | null;
            /**
             * @description The nodes that the application made and that you may read; empty for other events.
             * @example []
             */
            created_nodes: components["schemas"]["NodeDto"][];
        };
        ProposalEventDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @enum {string} */
            event: "proposal.created" | "proposal.ready" | "proposal.approved" | "proposal.rejected" | "proposal.applied" | "proposal.failed";
            /** @enum {string} */
            event_type: "created" | "ready" | "approved" | "rejected" | "applied" | "failed";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            timestamp: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            proposal_id: string;
            /** @description The proposal as it was then. */
            data: components["schemas"]["ProposalEventDataDto"];
        };
        ProposalEventsDto: {
            events: components["schemas"]["ProposalEventDto"][];
            /**
             * Format: uuid
             * @description For `after` of the next request.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            cursor: string;
            /** @example false */
            has_more: boolean;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
        };
        SubmitProposalBody: {
            /**
             * @description The proposed change, by type. CREATE_NODE: a node body, or `{nodes: [{ref, …}], relationships: [{from_ref, to_ref, …}]}`; UPDATE_NODE: `{node_id, changes, base_version?}`, where `changes.metadata` is a JSON merge patch; DELETE_NODE: `{node_id, base_version?}`; MERGE_NODES: `{target_node_id, source_node_ids, field_choices?}`; CREATE_RELATIONSHIP: its body; UPDATE_RELATIONSHIP: `{relationship_id, changes}`; DELETE_RELATIONSHIP: `{relationship_id}`; ADD_TAGS and REMOVE_TAGS: `{node_id, tags, base_version?}`. BATCH has actions only.
             * @example {
             *       "title": "Learn to sail",
             *       "node_type": "GOAL",
             *       "meaning_level": "IDENTITY"
             *     }
             */
            canonical_data?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Names of tags for every node that the proposal makes.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Names of tags for single nodes, by their ref or action id.
             * @example {
             *       "node-1": [
             *         "plans"
             *       ]
             *     }
             */
            entity_tags?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The reason for the proposal; `agent_id` names the agent in the history.
             * @example {
             *       "summary": "Mentioned three times in May"
             *     }
             */
            reasoning_metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Absent: the title of the proposed node, else the type in words.
             * @example A goal from your notes
             */
            title?: string | null;
            /** @example You wrote about sailing. */
            description?: string | null;
            /**
             * @default CREATE_NODE
             * @enum {string}
             */
            type: "CREATE_NODE" | "UPDATE_NODE" | "DELETE_NODE" | "MERGE_NODES" | "CREATE_RELATIONSHIP" | "UPDATE_RELATIONSHIP" | "DELETE_RELATIONSHIP" | "ADD_TAGS" | "REMOVE_TAGS" | "BATCH";
            /**
             * @default identity
             * @enum {string}
             */
            graph_view: "identity" | "neutral";
            /**
             * @description The data that the proposal was made from.
             * @example {
             *       "note": "I want to learn to sail"
             *     }
             */
            raw_data?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The granular form: `{id, type, payload}`, the payload in the form of canonical_data for that type.
             * @example []
             */
            actions?: ({
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "CREATE_NODE";
                payload: {
                    /** @description The name by which other actions refer to it. */
                    ref?: string;
                    title: string;
                    node_type: string;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "UPDATE_NODE";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description Fields of the node with their new values; omitted fields stay unchanged. Metadata is a JSON merge patch (RFC 7396). */
                    changes: {
                        [key: string]: unknown;
                    };
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "DELETE_NODE";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "MERGE_NODES";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node that stays.
                     */
                    target_node_id: string;
                    /** @description Nodes that are merged and deleted: their relationships, tags and contributions move to the target. */
                    source_node_ids: string[];
                    /** @description The source of a field of the target: `target`, `source` (the first one) or the id. */
                    field_choices?: {
                        [key: string]: string;
                    };
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "CREATE_RELATIONSHIP";
                payload: {
                    /**
                     * Format: uuid
                     * @description Where it begins; or from_ref.
                     */
                    from_node_id?: string;
                    /** @description The ref or action id of a node that this proposal makes. */
                    from_ref?: string;
                    /**
                     * Format: uuid
                     * @description The node at which it ends; or to_ref.
                     */
                    to_node_id?: string;
                    /** @description The ref or action id of a node that this proposal makes. */
                    to_ref?: string;
                    relationship_type: string;
                    bidirectional?: boolean;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "UPDATE_RELATIONSHIP";
                payload: {
                    /**
                     * Format: uuid
                     * @description The relationship.
                     */
                    relationship_id: string;
                    /** @description Fields of the relationship with their new values; omitted fields stay unchanged. */
                    changes: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "DELETE_RELATIONSHIP";
                payload: {
                    /**
                     * Format: uuid
                     * @description The relationship.
                     */
                    relationship_id: string;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "ADD_TAGS";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description Names of tags. */
                    tags: string[];
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "REMOVE_TAGS";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description Names of tags. */
                    tags: string[];
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            })[] | null;
            /**
             * @description READY_FOR_APPROVAL for a proposal that is complete; the app cannot set the others.
             * @default PENDING
             * @example PENDING
             * @enum {string}
             */
            status: "PENDING" | "READY_FOR_APPROVAL" | "APPROVED" | "REJECTED" | "APPLIED" | "FAILED";
        };
        ProposalDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /** @example A goal from your notes */
            title: string;
            /** @example You wrote about sailing. */
            description: string | null;
            /** @enum {string} */
            type: "CREATE_NODE" | "UPDATE_NODE" | "DELETE_NODE" | "MERGE_NODES" | "CREATE_RELATIONSHIP" | "UPDATE_RELATIONSHIP" | "DELETE_RELATIONSHIP" | "ADD_TAGS" | "REMOVE_TAGS" | "BATCH";
            /** @enum {string} */
            status: "PENDING" | "READY_FOR_APPROVAL" | "APPROVED" | "REJECTED" | "APPLIED" | "FAILED";
            /** @enum {string} */
            graph_view: "identity" | "neutral";
            /**
             * @example {
             *       "note": "I want to learn to sail"
             *     }
             */
            raw_data: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "title": "Learn to sail",
             *       "node_type": "GOAL"
             *     }
             */
            canonical_data: {
                [key: string]: unknown;
            } | null;
            /**
             * @example [
             *       "sea"
             *     ]
             */
            tags: string[];
            /** @example null */
            entity_tags: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            reasoning_metadata: {
                [key: string]: unknown;
            } | null;
            /** @example [] */
            actions: {
                [key: string]: unknown;
            }[];
            /**
             * @description Raised by every change of the proposed content.
             * @example 1
             */
            revision: number;
            /**
             * @description The user's words when approving.
             * @example null
             */
            message: string | null;
            /** @example null */
            rejection_reason: string | null;
            result: components["schemas"]["ApplyResultDto"] | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @example null
             */
            reviewed_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            applied_at: string | null;
            /**
             * Format: date-time
             * @description The time of its reversion.
             * @example null
             */
            reverted_at: string | null;
            /** @description Null after the end of the app. */
            app: components["schemas"]["NamedDto"] | null;
            /** @description You; null for an app. */
            user: components["schemas"]["NamedUserDto"] | null;
        };
        SubmitProposalsBody: {
            proposals: components["schemas"]["SubmitProposalBody"][];
        };
        SubmittedProposalDto: {
            /**
             * @description The position in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example A goal from your notes */
            title: string;
            /** @enum {string} */
            status: "PENDING" | "READY_FOR_APPROVAL";
            /** @example 1 */
            revision: number;
        };
        RefusedProposalDto: {
            /** @example 1 */
            index: number;
            /** @example null */
            title: string | null;
            /** @example canonical_data.node_type: is required */
            error: string;
            /** @example VALIDATION_ERROR */
            code: string;
        };
        SubmittedSummaryDto: {
            /** @example 2 */
            total: number;
            /** @example 1 */
            created: number;
            /** @example 1 */
            errors: number;
        };
        SubmittedProposalsDto: {
            created: components["schemas"]["SubmittedProposalDto"][];
            errors: components["schemas"]["RefusedProposalDto"][];
            summary: components["schemas"]["SubmittedSummaryDto"];
        };
        ProposalsDto: {
            proposals: components["schemas"]["ProposalDto"][];
            /** @example 1 */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            per_page: number;
            /** @example 20 */
            limit: number;
            /** @example 0 */
            offset: number;
        };
        EnrichProposalBody: {
            /**
             * @description The proposed change, by type. CREATE_NODE: a node body, or `{nodes: [{ref, …}], relationships: [{from_ref, to_ref, …}]}`; UPDATE_NODE: `{node_id, changes, base_version?}`, where `changes.metadata` is a JSON merge patch; DELETE_NODE: `{node_id, base_version?}`; MERGE_NODES: `{target_node_id, source_node_ids, field_choices?}`; CREATE_RELATIONSHIP: its body; UPDATE_RELATIONSHIP: `{relationship_id, changes}`; DELETE_RELATIONSHIP: `{relationship_id}`; ADD_TAGS and REMOVE_TAGS: `{node_id, tags, base_version?}`. BATCH has actions only.
             * @example {
             *       "title": "Learn to sail",
             *       "node_type": "GOAL",
             *       "meaning_level": "IDENTITY"
             *     }
             */
            canonical_data?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Names of tags for every node that the proposal makes.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Names of tags for single nodes, by their ref or action id.
             * @example {
             *       "node-1": [
             *         "plans"
             *       ]
             *     }
             */
            entity_tags?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The reason for the proposal; `agent_id` names the agent in the history.
             * @example {
             *       "summary": "Mentioned three times in May"
             *     }
             */
            reasoning_metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The granular form: `{id, type, payload}`, the payload in the form of canonical_data for that type.
             * @example [
             *       {
             *         "id": "goal",
             *         "type": "CREATE_NODE",
             *         "payload": {
             *           "title": "Learn to sail",
             *           "node_type": "GOAL"
             *         }
             *       }
             *     ]
             */
            actions?: ({
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "CREATE_NODE";
                payload: {
                    /** @description The name by which other actions refer to it. */
                    ref?: string;
                    title: string;
                    node_type: string;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "UPDATE_NODE";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description Fields of the node with their new values; omitted fields stay unchanged. Metadata is a JSON merge patch (RFC 7396). */
                    changes: {
                        [key: string]: unknown;
                    };
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "DELETE_NODE";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "MERGE_NODES";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node that stays.
                     */
                    target_node_id: string;
                    /** @description Nodes that are merged and deleted: their relationships, tags and contributions move to the target. */
                    source_node_ids: string[];
                    /** @description The source of a field of the target: `target`, `source` (the first one) or the id. */
                    field_choices?: {
                        [key: string]: string;
                    };
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "CREATE_RELATIONSHIP";
                payload: {
                    /**
                     * Format: uuid
                     * @description Where it begins; or from_ref.
                     */
                    from_node_id?: string;
                    /** @description The ref or action id of a node that this proposal makes. */
                    from_ref?: string;
                    /**
                     * Format: uuid
                     * @description The node at which it ends; or to_ref.
                     */
                    to_node_id?: string;
                    /** @description The ref or action id of a node that this proposal makes. */
                    to_ref?: string;
                    relationship_type: string;
                    bidirectional?: boolean;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "UPDATE_RELATIONSHIP";
                payload: {
                    /**
                     * Format: uuid
                     * @description The relationship.
                     */
                    relationship_id: string;
                    /** @description Fields of the relationship with their new values; omitted fields stay unchanged. */
                    changes: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "DELETE_RELATIONSHIP";
                payload: {
                    /**
                     * Format: uuid
                     * @description The relationship.
                     */
                    relationship_id: string;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "ADD_TAGS";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description Names of tags. */
                    tags: string[];
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            } | {
                /** @description Unique in the proposal; approvals name it. */
                id?: string;
                /** @enum {string} */
                type: "REMOVE_TAGS";
                payload: {
                    /**
                     * Format: uuid
                     * @description The node.
                     */
                    node_id: string;
                    /** @description Names of tags. */
                    tags: string[];
                    /** @description The version that the proposal was made from. A later change of the same fields is a CONFLICT. */
                    base_version?: number;
                } & {
                    [key: string]: unknown;
                };
            })[] | null;
            /**
             * @description READY_FOR_APPROVAL, or PENDING to withdraw that; the app cannot set the others.
             * @example READY_FOR_APPROVAL
             * @enum {string}
             */
            status?: "PENDING" | "READY_FOR_APPROVAL" | "APPROVED" | "REJECTED" | "APPLIED" | "FAILED";
        };
        ApproveProposalBody: {
            /**
             * @description Only these actions, by id. Absent: all that are not rejected.
             * @example [
             *       "node-1"
             *     ]
             */
            approved_actions?: string[];
            /**
             * @description All but these actions.
             * @example []
             */
            rejected_actions?: string[];
            /**
             * @description The revision that was reviewed. Absent: the one that you were last shown by GET /proposals, GET /proposals/:proposal_id or its diff; the first, if none.
             * @example 1
             */
            expected_revision?: number;
            /**
             * @description For the app.
             * @example Thank you
             */
            message?: string | null;
            /**
             * @description Also applies it, in the same transaction: `result` of the answer is that of POST …/apply.
             * @default false
             * @example false
             */
            apply: boolean;
        };
        ApprovedProposalDto: {
            /**
             * @description With `apply` APPLIED, or FAILED if nothing could be applied.
             * @example APPROVED
             * @enum {string}
             */
            status: "APPROVED" | "APPLIED" | "FAILED";
            /** @example Proposal approved */
            message: string;
            /** @description Present with `apply`. */
            result?: components["schemas"]["ApplyResultDto"];
        };
        RejectProposalBody: {
            /** @example That was a joke */
            reason?: string | null;
        };
        RejectedProposalDto: {
            /** @enum {string} */
            status: "REJECTED";
            /** @example Proposal rejected */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        AppliedProposalDto: {
            /** @example 1 */
            nodes_created: number;
            /** @example 0 */
            relationships_created: number;
            /** @example 0 */
            tags_created: number;
            /**
             * @description The actions that were not applied, with the reason. They undid nothing else.
             * @example []
             */
            errors: components["schemas"]["ActionErrorDto"][];
            created: components["schemas"]["CreatedThingsDto"];
            /**
             * @description FAILED: nothing could be applied.
             * @example APPLIED
             * @enum {string}
             */
            status: "APPLIED" | "FAILED";
        };
        DeletedProposalDto: {
            /** @example Proposal deleted */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        NamedNodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description Null where you are not shown it.
             * @example Learn to row
             */
            title: string | null;
        };
        SimilarToEntryDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description Null where you are not shown it.
             * @example Learn to row
             */
            title: string | null;
            /**
             * @description The likeness of the titles.
             * @example 0.93
             */
            similarity: number;
            /**
             * @example similar_title
             * @enum {string}
             */
            reason: "same_title" | "similar_title" | "similar_meaning";
        };
        FieldDiffDto: {
            /**
             * @description Metadata path by path, such as `metadata.properties.status`; a key with a dot or a quote is quoted: `metadata."a.b"`.
             * @example title
             */
            field: string;
            /**
             * @description The current value, as far as you are shown it. Tags are names, ends of relationships `{id, title}`, schemas `{id, name}`. Absent where the entry omits values.
             * @example Learn to row
             */
            before?: unknown;
            /**
             * @description The value with the proposal. Absent where the entry omits values.
             * @example Learn to sail
             */
            after?: unknown;
            /**
             * @description It has changed since the action was proposed, or since its base_version.
             * @example false
             */
            conflict: boolean;
        };
        DiffEntryDto: {
            /** @example node-1 */
            action_id: string;
            /** @enum {string} */
            type: "CREATE_NODE" | "UPDATE_NODE" | "DELETE_NODE" | "MERGE_NODES" | "CREATE_RELATIONSHIP" | "UPDATE_RELATIONSHIP" | "DELETE_RELATIONSHIP" | "ADD_TAGS" | "REMOVE_TAGS";
            /** @enum {string} */
            entity: "node" | "relationship";
            /** @enum {string} */
            change: "create" | "update" | "delete" | "merge";
            /**
             * Format: uuid
             * @description Null for a node that does not exist yet.
             * @example null
             */
            entity_id: string | null;
            /**
             * @description The current title of the node; null for relationships, for nodes that do not exist yet and for hidden ones.
             * @example Learn to row
             */
            title: string | null;
            /** @description For a merge: the nodes that are merged into this one. */
            sources?: components["schemas"]["NamedNodeDto"][];
            /**
             * @description Shown only to the user, for a node that is created or renamed: up to three nodes with the same or nearly the same title, which this may add a second time. Of one diff the first ten titles are compared.
             * @example []
             */
            similar_nodes?: components["schemas"]["SimilarToEntryDto"][];
            fields: components["schemas"]["FieldDiffDto"][];
            /**
             * @description The reason that this could not be applied now.
             * @example null
             */
            error: string | null;
            /**
             * @description True: the answer is full, and the fields are listed without their values. Request them by `action_id`, those of a merge by `entity_id` in addition.
             * @example false
             */
            values_omitted: boolean;
        };
        UnseenWarningDto: {
            /**
             * @description The place of the text among the entries of this answer, also where its entry omits values.
             * @example entries.0.fields.1.after
             */
            path: string;
            /**
             * @example [
             *       "U+202E RIGHT-TO-LEFT OVERRIDE"
             *     ]
             */
            characters: string[];
        };
        ConfusableTagDto: {
            /** @example pr1vate */
            name: string;
            /** @example private */
            confusable_with: string;
        };
        DisclosedToDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Training diary */
            name: string;
        };
        NodeShownAnewDto: {
            /**
             * Format: uuid
             * @description Null for a node that does not exist yet.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string | null;
            /** @example Learn to sail */
            title: string;
            /**
             * @description It cannot read the node now.
             * @example true
             */
            newly_readable: boolean;
            /**
             * @description The fields that it would newly be shown; of one field at most 50 paths, of at most 200 characters.
             * @example [
             *       "title",
             *       "value"
             *     ]
             */
            fields: string[];
            /**
             * @description It could read more of earlier versions of the node, or of contributions to them, than now: nothing hides them after this. Their contents are not compared.
             * @example false
             */
            earlier_versions: boolean;
        };
        DisclosureDto: {
            app: components["schemas"]["DisclosedToDto"];
            /**
             * @description True for the app that made the proposal.
             * @example true
             */
            is_proposing: boolean;
            nodes: components["schemas"]["NodeShownAnewDto"][];
            /**
             * @description The number of relationships that it could newly read: new ones, and existing ones at nodes that are changed or merged.
             * @example 0
             */
            relationships: number;
            /**
             * @description The number of relationships that it reads now, and of which it would newly be shown the type, the emotion or the context, because the nodes at their ends are changed or merged.
             * @example 0
             */
            relationship_texts: number;
            /** @example After this, Training diary can read 1 more node. */
            summary: string;
        };
        ProposalDiffDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            proposal_id: string;
            /** @enum {string} */
            status: "PENDING" | "READY_FOR_APPROVAL" | "APPROVED" | "REJECTED" | "APPLIED" | "FAILED";
            /** @example 1 */
            revision: number;
            /** @description All entries, in order. When their values reach 4 MiB, further entries omit them (`values_omitted`), and beyond 4 MiB of names of fields also the fields. */
            entries: components["schemas"]["DiffEntryDto"][];
            /**
             * @description The number of fields in conflict.
             * @example 0
             */
            conflicts: number;
            /**
             * @description Texts with characters that are invisible or that change the displayed order of others: control and format characters, separators of lines. The texts are shown as they are; 100 at most. Omitted values count, too, and so do the proposal's own title, description and reasoning metadata, except in an excerpt.
             * @example []
             */
            warnings: components["schemas"]["UnseenWarningDto"][];
            /**
             * @description Shown only to the user: names of new tags that look like the name of an existing tag.
             * @example []
             */
            confusable_tags?: components["schemas"]["ConfusableTagDto"][];
            /** @description Shown only to the user: the nodes and fields that authorized apps would newly see. The proposing app comes first, others follow if they would see more. Changes of fields that they already see are in the entries. Absent in an answer about one action or entity. */
            disclosures?: components["schemas"]["DisclosureDto"][];
            /**
             * @description Shown only to the user, with the disclosures. False: there are too many apps or texts to compare all of them here. Such a proposal is applied by the user alone; when an app applies it, it fails.
             * @example true
             */
            disclosures_complete?: boolean;
        };
        NotUndoneDto: {
            /** @enum {string} */
            entity: "node" | "relationship" | "tag";
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example It has changed since */
            reason: string;
            /**
             * @description Only these fields stay as they are.
             * @example [
             *       "title"
             *     ]
             */
            fields?: string[];
        };
        RevertedProposalDto: {
            /** @enum {string} */
            status: "APPLIED";
            /** @example Proposal undone */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description The number of reverted changes.
             * @example 1
             */
            undone: number;
            /** @example [] */
            not_undone: components["schemas"]["NotUndoneDto"][];
        };
        CreateShareBody: {
            /**
             * @description Own tags; required for the scope specific_tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            tag_ids?: string[];
            /**
             * @description Nodes of your own, or all of one share that you may re-share; required for the scope specific_nodes.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            node_ids?: string[];
            /**
             * @description The other rights imply it.
             * @example true
             */
            can_read?: boolean;
            /**
             * @description Change fields, not tags.
             * @example false
             */
            can_write?: boolean;
            /**
             * @description Delete the nodes.
             * @example false
             */
            can_delete?: boolean;
            /**
             * @description Re-share the nodes.
             * @example false
             */
            can_share?: boolean;
            /**
             * Format: date-time
             * @description In the future; null: never.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * Format: uuid
             * @description The recipient.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            shared_with_user_id: string;
            /**
             * @description `all` is everything you own; the other scopes need `tag_ids` or `node_ids`.
             * @example all
             * @enum {string}
             */
            scope: "all" | "specific_tags" | "specific_nodes";
        };
        ShareDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @description The sharer.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            shared_with_user_id: string;
            /**
             * @description `all` is everything you own; the other scopes need `tag_ids` or `node_ids`.
             * @example all
             * @enum {string}
             */
            scope: "all" | "specific_tags" | "specific_nodes";
            /**
             * @description Own tags; required for the scope specific_tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            tag_ids: string[];
            /**
             * @description Nodes of your own, or all of one share that you may re-share; required for the scope specific_nodes.
             * @example []
             */
            node_ids: string[];
            /**
             * @description The other rights imply it.
             * @example true
             */
            can_read: boolean;
            /**
             * @description Change fields, not tags.
             * @example false
             */
            can_write: boolean;
            /**
             * @description Delete the nodes.
             * @example false
             */
            can_delete: boolean;
            /**
             * @description Re-share the nodes.
             * @example false
             */
            can_share: boolean;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "revoked" | "expired";
            /**
             * Format: date-time
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * @description The origin of the share.
             * @example manual
             * @enum {string}
             */
            source: "manual" | "follow";
            /**
             * Format: uuid
             * @description The follow to which it belongs.
             * @example null
             */
            follow_id: string | null;
            /**
             * Format: uuid
             * @description The parent of a re-share. Rights and time are limited to those of the parent.
             * @example null
             */
            parent_share_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @example null
             */
            revoked_at: string | null;
            /** @description The sharer. */
            owner: components["schemas"]["NamedUserDto"] | null;
            /** @description The recipient. */
            shared_with: components["schemas"]["NamedUserDto"] | null;
            /** @description The tags by name; null for the recipient. */
            tags: components["schemas"]["NamedDto"][] | null;
            /**
             * @description The first 20 nodes by title, without those that you cannot read. Answers to writes name your own only.
             * @example []
             */
            nodes: components["schemas"]["NamedNodeDto"][];
        };
        SharesDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            shares: components["schemas"]["ShareDto"][];
        };
        RevokedSharesDto: {
            /** @example Shares revoked */
            message: string;
            /**
             * @description The number of shares.
             * @example 3
             */
            revoked: number;
        };
        UpdateShareBody: {
            /**
             * @description Own tags; required for the scope specific_tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            tag_ids?: string[];
            /**
             * @description Nodes of your own, or all of one share that you may re-share; required for the scope specific_nodes.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            node_ids?: string[];
            /**
             * @description The other rights imply it.
             * @example true
             */
            can_read?: boolean;
            /**
             * @description Change fields, not tags.
             * @example false
             */
            can_write?: boolean;
            /**
             * @description Delete the nodes.
             * @example false
             */
            can_delete?: boolean;
            /**
             * @description Re-share the nodes.
             * @example false
             */
            can_share?: boolean;
            /**
             * Format: date-time
             * @description In the future; null: never.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description `all` is everything you own; the other scopes need `tag_ids` or `node_ids`.
             * @example all
             * @enum {string}
             */
            scope?: "all" | "specific_tags" | "specific_nodes";
        };
        RevokedShareDto: {
            /** @example Share revoked */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        BlockedUserDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /** @example ines */
            username: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
        };
        BlockedUsersDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            blocked_users: components["schemas"]["BlockedUserDto"][];
        };
        UnblockedUserDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /** @example User unblocked */
            message: string;
        };
        CreateFollowBody: {
            /**
             * Format: uuid
             * @description Found by `GET /users?username=`.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            target_user_id: string;
            /** @example We met at the boat yard. */
            message?: string | null;
        };
        FollowUserDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example ines */
            username: string | null;
        };
        FollowDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            follower_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            target_user_id: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked";
            /** @example We met at the boat yard. */
            message: string | null;
            /**
             * Format: uuid
             * @description The read-only share that belongs to the follow.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            share_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            responded_at: string | null;
            follower: components["schemas"]["FollowUserDto"];
            target: components["schemas"]["FollowUserDto"];
        };
        FollowsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            follows: components["schemas"]["FollowDto"][];
        };
        FollowShareBody: {
            /**
             * @description The nodes that the follower may read.
             * @example all
             * @enum {string}
             */
            scope: "all" | "specific_tags" | "specific_nodes";
            /**
             * @description For the scope specific_tags.
             * @example []
             */
            tag_ids?: string[];
            /**
             * @description For the scope specific_nodes.
             * @example []
             */
            node_ids?: string[];
        };
        RespondBody: {
            /**
             * @example accept
             * @enum {string}
             */
            action: "accept" | "decline";
            /** @description Required to accept; for reading only. */
            share?: components["schemas"]["FollowShareBody"] | null;
        };
        EndedFollowDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @example revoked
             * @enum {string}
             */
            status: "revoked";
            /** @example Follow ended */
            message: string;
        };
        InvitationDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            group_id: string;
            /** @example Sailing crew */
            group_name: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            invited_user_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            invited_by: string;
            /**
             * @example member
             * @enum {string}
             */
            role: "admin" | "member";
            /**
             * Format: uuid
             * @description The profile of the future member; shown to admins of the group.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id?: string | null;
            /** @example Come aboard. */
            message: string | null;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "cancelled";
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            responded_at: string | null;
            group: components["schemas"]["NamedDto"];
            invited_user: components["schemas"]["NamedUserDto"] | null;
            /** @description The admin who invites. */
            inviter: components["schemas"]["NamedUserDto"] | null;
            /** @description Shown to admins of the group. */
            exposure_profile?: components["schemas"]["NamedDto"] | null;
        };
        InvitationsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            invitations: components["schemas"]["InvitationDto"][];
        };
        AnswerBody: {
            /**
             * @example accept
             * @enum {string}
             */
            action: "accept" | "decline";
        };
        InviteBody: {
            /**
             * Format: uuid
             * @description Found by `GET /users?username=`.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /**
             * @default member
             * @enum {string}
             */
            role: "admin" | "member";
            /**
             * Format: uuid
             * @description One of the group's exposure profiles, or null for none: a member without one reads all and writes nothing. Left out: the profile that the user had as a member before.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id?: string | null;
            /** @example Come aboard. */
            message?: string | null;
        };
        CreateGroupBody: {
            /** @example Sailing crew */
            name: string;
            /** @example What we know about the boat. */
            description?: string | null;
            /**
             * @description When the last admin leaves: the group ends, or the longest-standing member becomes admin.
             * @default disband
             * @example disband
             * @enum {string}
             */
            deletion_policy: "disband" | "transfer";
        };
        GroupDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Sailing crew */
            name: string;
            /** @example What we know about the boat. */
            description: string | null;
            /**
             * @description When the last admin leaves: the group ends, or the longest-standing member becomes admin.
             * @example disband
             * @enum {string}
             */
            deletion_policy: "disband" | "transfer";
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            created_by: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /** @example true */
            is_active: boolean;
            /** @example 1 */
            member_count: number;
            /**
             * @example admin
             * @enum {string}
             */
            my_role: "admin" | "member";
        };
        GroupsDto: {
            groups: components["schemas"]["GroupDto"][];
            /** @example 1 */
            total: number;
        };
        UpdateGroupBody: {
            /** @example Sailing crew */
            name?: string;
            /** @example What we know about the boat. */
            description?: string | null;
            /**
             * @description When the last admin leaves: the group ends, or the longest-standing member becomes admin.
             * @example disband
             * @enum {string}
             */
            deletion_policy?: "disband" | "transfer";
        };
        DisbandedGroupDto: {
            /** @example Group disbanded */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        GroupShareBody: {
            /**
             * Format: uuid
             * @description One of your own exposure profiles.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
        };
        GroupShareDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            group_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /** @example true */
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            group: components["schemas"]["NamedDto"];
            /** @description You. */
            user: components["schemas"]["NamedUserDto"] | null;
            exposure_profile: components["schemas"]["NamedDto"] | null;
        };
        RevokedGroupShareDto: {
            /** @example The group no longer sees your data */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            group_id: string;
        };
        MemberDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string;
            /** @example ines */
            username: string | null;
            /**
             * @example member
             * @enum {string}
             */
            role: "admin" | "member";
            /**
             * Format: uuid
             * @description One of the group's exposure profiles; without one a member reads all and writes nothing.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            joined_at: string;
            /** @description Shown to admins of the group. */
            exposure_profile: components["schemas"]["NamedDto"] | null;
        };
        MembersDto: {
            members: components["schemas"]["MemberDto"][];
            /** @example 1 */
            total: number;
        };
        UpdateMemberBody: {
            /**
             * @example member
             * @enum {string}
             */
            role?: "admin" | "member";
            /**
             * Format: uuid
             * @description One of the group's exposure profiles; without one a member reads all and writes nothing.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id?: string | null;
        };
        LeftGroupDto: {
            /** @example Member removed */
            message: string;
            /**
             * @description True if the group continues.
             * @example true
             */
            group_active: boolean;
            /**
             * Format: uuid
             * @description The member who has become admin.
             * @example null
             */
            new_admin_id: string | null;
        };
        ConnectBody: {
            /**
             * Format: uuid
             * @description The id of the group, from one of its members.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            target_group_id: string;
            /** @example Come aboard. */
            message?: string | null;
        };
        ConnectionDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            group_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            target_group_id: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked";
            /** @example Come aboard. */
            message: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            requested_by: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            responded_by: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            responded_at: string | null;
            /** @description The group that asks. */
            group: components["schemas"]["NamedDto"] | null;
            /** @description The group that is asked; null for members of the other one unless it has accepted. */
            target_group: components["schemas"]["NamedDto"] | null;
            /** @description The admin who asks. */
            requester: components["schemas"]["NamedUserDto"] | null;
            /** @description The admin who answered or revoked; null beside a group without a name. */
            responder: components["schemas"]["NamedUserDto"] | null;
        };
        ConnectionsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            connections: components["schemas"]["ConnectionDto"][];
        };
        NewNodeBody: {
            /**
             * @description Additional notes.
             * @example Before autumn.
             */
            value?: string | null;
            /**
             * @description The default is CONTEXT.
             * @example IDENTITY
             * @enum {string|null}
             */
            meaning_level?: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @description Stored, never returned. The default is `identity`.
             * @enum {string|null}
             */
            graph_view?: "identity" | "neutral" | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @description At most 256 KiB and 32 levels; `properties` holds the fields of the node type.
             * @example {
             *       "properties": {
             *         "status": "active",
             *         "time_horizon": "short_term"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The agent that made this, and its method; `agent_id` attributes the change to it. Names and `session_id` have at most 1,000 characters.
             * @example {
             *       "agent_name": "note-reader",
             *       "confidence_score": 0.9
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The agent that the change is attributed to.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            last_modified_by_agent_id?: string | null;
            /**
             * @description Id of a schema.
             * @example 00000000-0000-7000-8000-000000000005
             */
            schema_id?: string | null;
            /**
             * @description Names of tags (1 to 100 characters), made where needed, or ids of own tags; at most 50 different ones.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description The reason in history; takes precedence over the header X-Change-Reason.
             * @example first draft
             */
            change_reason?: string | null;
            /**
             * @description Main description.
             * @example Learn to sail
             */
            title: string;
            /**
             * @description With meaning level IDENTITY one of EXPERIENCE, BELIEF, ENTITY, GOAL; else free.
             * @example GOAL
             */
            node_type: string;
            /**
             * @description The action where a node with the same graph view, title and value exists that the caller can read: `skip` returns that node unchanged, `overwrite` writes to it as PUT does. Absent or null: a second node is created.
             * @example null
             * @enum {string|null}
             */
            on_duplicate?: "skip" | "overwrite" | null;
        };
        OwnerDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example alice */
            username: string;
        };
        ListedNodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
            owner?: components["schemas"]["OwnerDto"];
            /**
             * @description Present in the list of deleted nodes.
             * @example 2026-03-02T10:00:00.000Z
             */
            deleted_at?: string;
            /**
             * Format: uuid
             * @description The node into which a merge has moved this deleted node; for the owner.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_into?: string;
        };
        NodesDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            nodes: components["schemas"]["ListedNodeDto"][];
        };
        ChangeNodeBody: {
            /**
             * @description Additional notes.
             * @example Before autumn.
             */
            value?: string | null;
            /**
             * @description The default is CONTEXT.
             * @example IDENTITY
             * @enum {string|null}
             */
            meaning_level?: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @description Stored, never returned. The default is `identity`.
             * @enum {string|null}
             */
            graph_view?: "identity" | "neutral" | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @description At most 256 KiB and 32 levels; `properties` holds the fields of the node type.
             * @example {
             *       "properties": {
             *         "status": "active",
             *         "time_horizon": "short_term"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The agent that made this, and its method; `agent_id` attributes the change to it. Names and `session_id` have at most 1,000 characters.
             * @example {
             *       "agent_name": "note-reader",
             *       "confidence_score": 0.9
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The agent that the change is attributed to.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            last_modified_by_agent_id?: string | null;
            /**
             * @description Id of a schema.
             * @example 00000000-0000-7000-8000-000000000005
             */
            schema_id?: string | null;
            /**
             * @description Names of tags (1 to 100 characters), made where needed, or ids of own tags; at most 50 different ones.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description The reason in history; takes precedence over the header X-Change-Reason.
             * @example first draft
             */
            change_reason?: string | null;
            /**
             * @description Main description.
             * @example Learn to sail
             */
            title?: string;
            /**
             * @description With meaning level IDENTITY one of EXPERIENCE, BELIEF, ENTITY, GOAL; else free.
             * @example GOAL
             */
            node_type?: string;
        };
        CreateTagBody: {
            /**
             * @description `#RRGGBB`
             * @example #3366CC
             */
            color?: string | null;
            /** @example topic */
            category?: string | null;
            /** @example Everything about my job */
            description?: string | null;
            /**
             * @description Unique among your tags, letter case aside.
             * @example work
             */
            name: string;
            /**
             * Format: uuid
             * @description The tag above this one.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            parent_tag_id?: string | null;
        };
        CreatedTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example work */
            name: string;
            /**
             * @description `#RRGGBB`
             * @example #3366CC
             */
            color: string | null;
            /** @example topic */
            category: string | null;
            /** @example Everything about my job */
            description: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            parent_tag_id: string | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description To the owner alone, and only where there is one: the name of another tag of theirs that looks alike, such as by letters of another script.
             * @example private
             */
            confusable_with?: string;
        };
        GroupTagsDto: {
            tags: components["schemas"]["TagDto"][];
            /**
             * @description The total number of tags that you may know.
             * @example 1
             */
            total: number;
            /**
             * @description The applied page size: the number of tags where their size ended the page.
             * @example 1000
             */
            limit: number;
            /** @example 0 */
            offset: number;
        };
        GroupProfilesDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            exposure_profiles: components["schemas"]["ExposureProfileDto"][];
        };
        ExplainedAuthorizationDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "expired";
            /**
             * Format: uuid
             * @description The profile of the authorization.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /**
             * Format: date-time
             * @example null
             */
            expires_at: string | null;
        };
        RuleVerdictDto: {
            /**
             * @description The field of the profile, of the permissions that the app requests, or of the authorization.
             * @example tag_filters.exclude_any
             */
            rule: string;
            /**
             * @description One `refuses` refuses it all. `does_not_apply` and `bypassed` are the ways not taken if a node can be let through in two ways: by its id or by its tags. `not_set`: the rule is empty.
             * @example refuses
             * @enum {string}
             */
            verdict: "passes" | "refuses" | "does_not_apply" | "bypassed" | "not_set";
        };
        ExplainedVerbDto: {
            /**
             * @example read
             * @enum {string}
             */
            verb: "read" | "propose" | "edit" | "delete";
            /** @example false */
            allowed: boolean;
            /**
             * @description The first rule that refuses; otherwise the one that allows the node.
             * @example tag_filters.exclude_any
             */
            decided_by: string;
            /** @description Every rule, in the order of the decision. */
            rules: components["schemas"]["RuleVerdictDto"][];
        };
        ExplainedTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description Null: the tag is deleted.
             * @example work
             */
            name: string | null;
            /**
             * @description True if the app sees its name.
             * @example true
             */
            shown: boolean;
        };
        AppliedTransformationDto: {
            /**
             * @description Place in `transformations` of the profile, from 0.
             * @example 0
             */
            index: number;
            /** @example pii_redaction */
            type: string;
        };
        ExplainedFieldDto: {
            /** @example value */
            field: string;
            /** @example true */
            shown: boolean;
            /**
             * @example null
             * @enum {string|null}
             */
            hidden_by: "max_detail_level" | "transformations" | null;
            /** @description The transformations that change its value, in their order. */
            transformations: components["schemas"]["AppliedTransformationDto"][];
        };
        ExplanationDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string | null;
            /** @description Null: the app is not authorized. */
            authorization: components["schemas"]["ExplainedAuthorizationDto"] | null;
            verbs: components["schemas"]["ExplainedVerbDto"][];
            tags: components["schemas"]["ExplainedTagDto"][];
            /** @description The outcome for each field of a readable node. */
            fields: components["schemas"]["ExplainedFieldDto"][];
            /** @description The node as the app is shown it; null when it may not read it. */
            shown_as: components["schemas"]["NodeDto"] | null;
        };
        PreviewBody: {
            /**
             * @description Page size; values over 100 are lowered to 100.
             * @default 20
             */
            limit: number;
            /**
             * @description The number of entries to skip.
             * @default 0
             */
            offset: number;
            /**
             * Format: uuid
             * @description Id of an app; without it the app is one that requests everything.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id?: string | null;
            /**
             * Format: uuid
             * @description Id of another profile to compare with. Without it an edit is compared with the profile as saved.
             * @example null
             */
            compare_to?: string | null;
            /**
             * @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present.
             * @example [
             *       "title",
             *       "metadata.properties"
             *     ]
             */
            fields?: string[];
            /**
             * @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it.
             * @default 200
             * @example 200
             */
            value_limit: number;
            /** @description Changes to the profile, which are not saved: fields as in PUT. */
            profile?: components["schemas"]["UpdateProfileBody"] | null;
        };
        PreviewCountsDto: {
            /** @example 40 */
            read: number;
            /** @example 12 */
            propose: number;
            /** @example 5 */
            edit: number;
            /** @example 0 */
            delete: number;
            /**
             * @description All of your own nodes.
             * @example 120
             */
            nodes: number;
        };
        ComparisonDto: {
            /**
             * Format: uuid
             * @description The profile of the comparison.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
            /** @description Counts for that profile. */
            counts: components["schemas"]["VerbCountsDto"];
            /** @description Nodes that are readable through this profile and not through the other, as this one shows them. */
            gained: components["schemas"]["NodesDto"];
            /** @description Nodes that are readable through the other and not through this one, as the other shows them. */
            lost: components["schemas"]["NodesDto"];
        };
        ProfilePreviewDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string | null;
            /**
             * @description True if the preview includes unsaved changes of a saved profile.
             * @example false
             */
            is_edited: boolean;
            /**
             * @description The effective permissions of the app.
             * @example [
             *       "tags.discover",
             *       "tags.read"
             *     ]
             */
            permissions: string[];
            /**
             * @description Permissions that the app requests and the profile does not grant; an app with any of them cannot be authorized.
             * @example [
             *       "tags.propose"
             *     ]
             */
            missing: string[];
            /**
             * @description The detail level at which nodes are shown.
             * @example summary
             * @enum {string}
             */
            max_detail_level: "full" | "summary" | "minimal";
            /** @description The number of your own nodes for each verb. */
            counts: components["schemas"]["PreviewCountsDto"];
            /** @description The nodes that GET /nodes would give the app. */
            sample: components["schemas"]["NodesDto"];
            /** @description Null: there is nothing to compare with. */
            comparison: components["schemas"]["ComparisonDto"] | null;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id: string;
        };
        DraftPreviewBody: {
            /**
             * @description Page size; values over 100 are lowered to 100.
             * @default 20
             */
            limit: number;
            /**
             * @description The number of entries to skip.
             * @default 0
             */
            offset: number;
            /**
             * Format: uuid
             * @description Id of an app; without it the app is one that requests everything.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id?: string | null;
            /**
             * Format: uuid
             * @description Id of another profile to compare with. Without it an edit is compared with the profile as saved.
             * @example null
             */
            compare_to?: string | null;
            /**
             * @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present.
             * @example [
             *       "title",
             *       "metadata.properties"
             *     ]
             */
            fields?: string[];
            /**
             * @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it.
             * @default 200
             * @example 200
             */
            value_limit: number;
            /** @description The profile, which is not saved: fields as in POST; it needs no name. */
            profile: components["schemas"]["UpdateProfileBody"];
        };
        DraftPreviewDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string | null;
            /**
             * @description True if the preview includes unsaved changes of a saved profile.
             * @example false
             */
            is_edited: boolean;
            /**
             * @description The effective permissions of the app.
             * @example [
             *       "tags.discover",
             *       "tags.read"
             *     ]
             */
            permissions: string[];
            /**
             * @description Permissions that the app requests and the profile does not grant; an app with any of them cannot be authorized.
             * @example [
             *       "tags.propose"
             *     ]
             */
            missing: string[];
            /**
             * @description The detail level at which nodes are shown.
             * @example summary
             * @enum {string}
             */
            max_detail_level: "full" | "summary" | "minimal";
            /** @description The number of your own nodes for each verb. */
            counts: components["schemas"]["PreviewCountsDto"];
            /** @description The nodes that GET /nodes would give the app. */
            sample: components["schemas"]["NodesDto"];
            /** @description Null: there is nothing to compare with. */
            comparison: components["schemas"]["ComparisonDto"] | null;
            /**
             * Format: uuid
             * @description Null: the profile is not saved.
             * @example null
             */
            exposure_profile_id: string | null;
        };
        AccessActorDto: {
            /**
             * @description An app, or another person.
             * @example app
             * @enum {string}
             */
            type: "app" | "user";
            /**
             * Format: uuid
             * @description An app that you have authorized; null for other people, also if they use an app.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string | null;
            /**
             * @description The name of the app at that time, also after its deletion.
             * @example Note reader
             */
            app_name: string | null;
            /**
             * @description The present name, if it has changed; null also after the deletion of the app.
             * @example null
             */
            app_name_now: string | null;
            /**
             * Format: uuid
             * @description You, if an app acted for you; or another person, if you share with them or are in a group with them. Null for anybody else, who has access through a re-share.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            user_id: string | null;
            /** @example alice */
            username: string | null;
            /** @description The app by its present name, or the last that is stored. */
            app: components["schemas"]["NamedDto"] | null;
            user: components["schemas"]["NamedUserDto"] | null;
        };
        AccessEntryDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: date-time
             * @description The time of its last request.
             * @example 2026-01-31T12:00:00.000Z
             */
            at: string;
            /**
             * Format: date-time
             * @description The time of its first request, or the hour in which refusals and requests without ids are counted.
             * @example 2026-01-31T12:00:00.000Z
             */
            since: string;
            actor: components["schemas"]["AccessActorDto"];
            /**
             * Format: uuid
             * @description The session of an app that called by a token of OAuth; null for keys, and for other people.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            session_id: string | null;
            /**
             * @description The way: a request to the REST API, one to the MCP endpoint, or an event that was sent.
             * @example rest
             * @enum {string}
             */
            via: "rest" | "mcp" | "webhook";
            /**
             * @description The tool that was called by MCP.
             * @example null
             */
            tool: string | null;
            /**
             * @description The action; every change in the graph but a creation or a deletion is an `update`. `refused`: requests of an app for you that were answered with 403 or 404, counted for each hour, endpoint and status.
             * @example read
             * @enum {string}
             */
            action: "read" | "create" | "update" | "delete" | "refused";
            /**
             * @description Method and route, or `webhook` for an event that was sent.
             * @example GET /nodes/:node_id
             */
            endpoint: string;
            /** @example 200 */
            status: number;
            /**
             * @description Equal requests within two seconds are one entry, those counted by the hour within an hour.
             * @example 1
             */
            requests: number;
            /**
             * @description The number of your nodes; where ids are left out, a node may be counted more than once.
             * @example 1
             */
            node_count: number;
            /**
             * @description Their ids, 100 at most.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            node_ids: string[];
            /** @description The first 20 of them by their present titles; deleted nodes are left out. */
            nodes: components["schemas"]["NamedNodeDto"][];
            /**
             * @description True if ids of some of the nodes are not stored: an entry stores 1,000, and all of one app or person about 10,000 an hour. `node_id` does not find those left out.
             * @example false
             */
            ids_left_out: boolean;
        };
        AccessLogDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            entries: components["schemas"]["AccessEntryDto"][];
        };
        ImportedRowsDto: {
            /**
             * @description Deleted ones included.
             * @example 3
             */
            nodes: number;
            /** @example 3 */
            relationships: number;
            /** @example 3 */
            tags: number;
            /** @example 3 */
            schemas: number;
            /** @example 3 */
            exposure_profiles: number;
            /** @example 3 */
            files: number;
            /** @example 3 */
            embeddings: number;
            /** @example 3 */
            sessions: number;
            /**
             * @description Entries of the change log.
             * @example 3
             */
            changes: number;
        };
        ImportedDto: {
            imported: components["schemas"]["ImportedRowsDto"];
        };
        EraseAccountBody: {
            /**
             * Format: password
             * @description The password of the account.
             * @example correct horse battery
             */
            password: string;
        };
        ServerMetadataDto: {
            /** @example https://graph.example.org */
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            registration_endpoint?: string;
            revocation_endpoint: string;
            introspection_endpoint: string;
            pushed_authorization_request_endpoint: string;
            device_authorization_endpoint: string;
            /**
             * @example [
             *       "graph:discover",
             *       "graph:read",
             *       "graph:propose",
             *       "graph:create",
             *       "graph:edit",
             *       "graph:delete",
             *       "files:read"
             *     ]
             */
            scopes_supported: string[];
            /**
             * @example [
             *       "code"
             *     ]
             */
            response_types_supported: string[];
            /**
             * @example [
             *       "query"
             *     ]
             */
            response_modes_supported: string[];
            /**
             * @example [
             *       "authorization_code",
             *       "refresh_token"
             *     ]
             */
            grant_types_supported: string[];
            /**
             * @example [
             *       "none",
             *       "client_secret_basic"
             *     ]
             */
            token_endpoint_auth_methods_supported: string[];
            /**
             * @example [
             *       "none",
             *       "client_secret_basic"
             *     ]
             */
            revocation_endpoint_auth_methods_supported: string[];
            /**
             * @example [
             *       "none",
             *       "client_secret_basic"
             *     ]
             */
            introspection_endpoint_auth_methods_supported: string[];
            /**
             * @example [
             *       "S256"
             *     ]
             */
            code_challenge_methods_supported: string[];
            /**
             * @example [
             *       "graph_access"
             *     ]
             */
            authorization_details_types_supported: string[];
            /** @example true */
            authorization_response_iss_parameter_supported: boolean;
            /** @example true */
            client_id_metadata_document_supported: boolean;
            /** @example https://graph.example.org/docs */
            service_documentation: string;
        };
        ResourceMetadataDto: {
            /** @example https://graph.example.org/mcp */
            resource: string;
            /**
             * @example [
             *       "https://graph.example.org"
             *     ]
             */
            authorization_servers: string[];
            /**
             * @example [
             *       "graph:read",
             *       "graph:propose"
             *     ]
             */
            scopes_supported: string[];
            /**
             * @example [
             *       "header"
             *     ]
             */
            bearer_methods_supported: string[];
            /** @example Personal identity graph */
            resource_name: string;
        };
        TokenBody: {
            /**
             * @description Id of an app, or the address of a client’s document.
             * @example 7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1
             */
            client_id?: string;
            /** @description A key of the app; public clients send none. */
            client_secret?: string;
            /**
             * @description The grant.
             * @example authorization_code
             */
            grant_type?: string;
            /** @description The code of the answer. */
            code?: string;
            /**
             * @description As in the request.
             * @example http://localhost:51234/callback
             */
            redirect_uri?: string;
            /** @description The text from which the challenge was made (RFC 7636). */
            code_verifier?: string;
            /** @description A refresh token. */
            refresh_token?: string;
            /** @description The code of a waiting device. */
            device_code?: string;
            /**
             * @description Fewer scopes than before, for this access token only.
             * @example graph:read
             */
            scope?: string;
            /** @description The address that the token is for (RFC 8707). */
            resource?: string;
        };
        TokenDto: {
            /** @example pig_at_<43 characters><checksum> */
            access_token: string;
            /** @example Bearer */
            token_type: string;
            /**
             * @description Seconds.
             * @example 86400
             */
            expires_in: number;
            /** @example pig_rt_<43 characters><checksum> */
            refresh_token: string;
            /**
             * @description The granted scopes.
             * @example graph:read graph:propose
             */
            scope: string;
            /** @description As granted, where the request had such details (RFC 9396). */
            authorization_details?: {
                [key: string]: unknown;
            }[];
        };
        TokenTextBody: {
            /**
             * @description Id of an app, or the address of a client’s document.
             * @example 7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1
             */
            client_id?: string;
            /** @description A key of the app; public clients send none. */
            client_secret?: string;
            /** @description An access token or a refresh token. */
            token?: string;
            /** @description `access_token` or `refresh_token`; not needed. */
            token_type_hint?: string;
        };
        RevokedTokenDto: Record<string, never>;
        IntrospectionDto: {
            /** @example true */
            active: boolean;
            /** @example graph:read */
            scope?: string;
            client_id?: string;
            /** @example Bearer */
            token_type?: string;
            /**
             * @description Unix time.
             * @example 1900000000
             */
            exp?: number;
            /**
             * @description Unix time.
             * @example 1899913600
             */
            iat?: number;
            /** @description Id of the person. */
            sub?: string;
            /** @example https://graph.example.org */
            aud?: string;
            /** @example https://graph.example.org */
            iss?: string;
            /** @description Id of the authorization. */
            authorization_id?: string;
        };
        PushBody: {
            /**
             * @description Id of an app, or the address of a client’s document.
             * @example 7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1
             */
            client_id?: string;
            /** @description A key of the app; public clients send none. */
            client_secret?: string;
            /**
             * @description Always code.
             * @example code
             */
            response_type?: string;
            /**
             * @description Always query.
             * @example query
             */
            response_mode?: string;
            /**
             * @description One of the client.
             * @example http://localhost:51234/callback
             */
            redirect_uri?: string;
            /** @description Comes back unchanged. */
            state?: string;
            /** @description By S256 (RFC 7636). */
            code_challenge?: string;
            /**
             * @description Always S256.
             * @example S256
             */
            code_challenge_method?: string;
            /**
             * @description Scopes, with spaces between them.
             * @example graph:read graph:propose
             */
            scope?: string;
            /** @description The address that tokens are for (RFC 8707). */
            resource?: string;
            /** @description JSON: an array with one object of type graph_access (RFC 9396). */
            authorization_details?: string;
            /** @description Refused: request objects are not supported. */
            request?: string;
            /** @description The address of pushed parameters (RFC 9126). */
            request_uri?: string;
        };
        PushedDto: {
            /** @example urn:ietf:params:oauth:request_uri:<text> */
            request_uri: string;
            /**
             * @description Seconds.
             * @example 600
             */
            expires_in: number;
        };
        DeviceAuthorizationBody: {
            /**
             * @description Id of an app, or the address of a client’s document.
             * @example 7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1
             */
            client_id?: string;
            /** @description A key of the app; public clients send none. */
            client_secret?: string;
            /**
             * @description Scopes, with spaces between them.
             * @example graph:read
             */
            scope?: string;
            /** @description The address that tokens are for (RFC 8707). */
            resource?: string;
            /** @description JSON: an array with one object of type graph_access (RFC 9396). */
            authorization_details?: string;
        };
        DeviceAuthorizationDto: {
            device_code: string;
            /** @example BCDF-GHJK */
            user_code: string;
            /** @example https://graph.example.org/console/device */
            verification_uri: string;
            /** @example https://graph.example.org/console/device?user_code=BCDF-GHJK */
            verification_uri_complete: string;
            /**
             * @description Seconds.
             * @example 900
             */
            expires_in: number;
            /**
             * @description Seconds between two questions.
             * @example 5
             */
            interval: number;
        };
        RegistrationBody: {
            /**
             * @description A text of up to 100 characters.
             * @example Reading list
             */
            client_name?: unknown;
            /**
             * @description Up to 20 absolute URIs without fragments, with http only for localhost.
             * @example [
             *       "http://127.0.0.1:51234/callback"
             *     ]
             */
            redirect_uris?: unknown;
            /**
             * @description Those that are not supported are left out.
             * @example [
             *       "authorization_code",
             *       "refresh_token"
             *     ]
             */
            grant_types?: unknown;
            /**
             * @description Always code.
             * @example [
             *       "code"
             *     ]
             */
            response_types?: unknown;
            /**
             * @description Any other method is replaced by none.
             * @example none
             */
            token_endpoint_auth_method?: unknown;
        };
        RegistrationDto: {
            /** @example 7d9f6a62-1f0c-4b2e-9a53-4c9be1d2a7f1 */
            client_id: string;
            /**
             * @description Unix time.
             * @example 1899913600
             */
            client_id_issued_at: number;
            /** @example Reading list */
            client_name: string;
            /**
             * @example [
             *       "http://127.0.0.1:51234/callback"
             *     ]
             */
            redirect_uris: string[];
            /**
             * @example [
             *       "authorization_code",
             *       "refresh_token"
             *     ]
             */
            grant_types: string[];
            /**
             * @example [
             *       "code"
             *     ]
             */
            response_types: string[];
            /** @example none */
            token_endpoint_auth_method: string;
        };
        ConsentClientDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            app_id: string;
            /** @example Claude Code */
            name: string;
            /**
             * @example document
             * @enum {string}
             */
            kind: "registered" | "document" | "dynamic";
            /**
             * @description The site that vouches for the client.
             * @example claude.ai
             */
            host: string | null;
            /**
             * @description True if a site vouches for the client.
             * @example true
             */
            verified: boolean;
            /** @example null */
            homepage_url: string | null;
        };
        ReturnDto: {
            /**
             * @description Null for a device.
             * @example http://localhost:51234/callback
             */
            uri: string | null;
            /**
             * @description Null for a device.
             * @example localhost:51234
             */
            host: string | null;
            /**
             * @example this_computer
             * @enum {string}
             */
            kind: "web" | "this_computer" | "app" | "device";
        };
        AskedScopeDto: {
            /**
             * @example graph:read
             * @enum {string}
             */
            scope: "graph:discover" | "graph:read" | "graph:propose" | "graph:create" | "graph:edit" | "graph:delete" | "files:read";
            /**
             * @description False: the person may leave it out.
             * @example true
             */
            required: boolean;
        };
        SelectableProfileDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Work only */
            name: string;
            /** @example false */
            is_default: boolean;
            /**
             * @description The scopes of this request that the profile does not grant.
             * @example []
             */
            lacks: string[];
        };
        ExistingDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            authorization_id: string;
            exposure_profile: components["schemas"]["NamedDto"] | null;
            /**
             * @example [
             *       "graph:read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * @description The number of connected devices.
             * @example 1
             */
            sessions: number;
        };
        ConsentUserDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example alice */
            username: string;
        };
        ConsentDto: {
            client: components["schemas"]["ConsentClientDto"];
            returns_to: components["schemas"]["ReturnDto"];
            scopes: components["schemas"]["AskedScopeDto"][];
            /** @description The permissions behind all scopes, with their schemas. */
            permissions: components["schemas"]["RequestedPermissionsDto"];
            /**
             * @description The reason that the app states.
             * @example Weekly review of goals
             */
            purpose: string | null;
            /**
             * @description The proposed length of the authorization, in days.
             * @example 90
             */
            expires_in_days: number;
            /** @description Your profiles, narrowest first. */
            profiles: components["schemas"]["SelectableProfileDto"][];
            /** @description The authorization that allowing replaces. */
            existing: components["schemas"]["ExistingDto"] | null;
            user: components["schemas"]["ConsentUserDto"];
            /**
             * Format: date-time
             * @description The end of the request.
             * @example 2026-01-31T12:00:00.000Z
             */
            expires_at: string;
        };
        DecideBody: {
            /**
             * @description The text in the address of the consent page.
             * @example q8Zr2mVnT0yW5cXbK1dLpA
             */
            request: string;
            /**
             * @example deny
             * @enum {string}
             */
            decision: "allow" | "deny";
            /**
             * @description The scopes that you allow; required to allow.
             * @example [
             *       "graph:read"
             *     ]
             */
            scopes?: ("graph:discover" | "graph:read" | "graph:propose" | "graph:create" | "graph:edit" | "graph:delete" | "files:read")[];
            /**
             * Format: uuid
             * @description One of your profiles.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            exposure_profile_id?: string | null;
            /** @description A profile to create in place of an existing one. */
            new_profile?: components["schemas"]["CreateProfileBody"] | null;
            /**
             * Format: date-time
             * @description The end; null or absent: none.
             * @example 2030-01-31T12:00:00.000Z
             */
            expires_at?: string | null;
        };
        DecidedDto: {
            /**
             * @description The address to open next; null where a device was connected or refused.
             * @example http://localhost:51234/callback?code=…&state=…&iss=…
             */
            redirect_to: string | null;
        };
        DeviceBody: {
            /**
             * @description The code that the device shows.
             * @example BCDF-GHJK
             */
            user_code: string;
        };
        DeviceRequestDto: {
            /**
             * @description The text in the address of the consent page.
             * @example q8Zr2mVnT0yW5cXbK1dLpA
             */
            request: string;
        };
        SubscribeBody: {
            /**
             * @description Public https address that events are posted to, up to 2,048 characters.
             * @example https://hooks.example.org/graph
             */
            webhook_url: string;
            /**
             * @description `node.created`, `node.updated`, `node.deleted`, `node.embedding.updated`, `relationship.created`, `.updated`, `.deleted`, `tag.created`, `.updated`, `.deleted`, `proposal.created`, `.ready`, `.approved`, `.rejected`, `.applied`, `.failed`; with a JWT also `share.created`, `share.revoked`, `authorization.created`, `.changed` and `.revoked`.
             * @example [
             *       "node.created",
             *       "node.updated",
             *       "node.deleted"
             *     ]
             */
            events: ("node.created" | "node.updated" | "node.deleted" | "node.embedding.updated" | "relationship.created" | "relationship.updated" | "relationship.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "proposal.created" | "proposal.ready" | "proposal.approved" | "proposal.rejected" | "proposal.applied" | "proposal.failed" | "created" | "ready" | "approved" | "rejected" | "applied" | "failed" | "share.created" | "share.revoked" | "authorization.created" | "authorization.changed" | "authorization.revoked")[];
            /**
             * Format: password
             * @description Signs the deliveries. If it is left out, the service makes one for a new subscription and keeps the present one otherwise. `whsec_` and base64 of 24 to 64 bytes as in Standard Webhooks, or any text of at least 16 bytes, which signs with its UTF-8 bytes.
             */
            secret?: string;
            /**
             * Format: uuid
             * @description With a JWT: the id of an app that the user has authorized. With a key it can be left out.
             * @example 8b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f
             */
            app_id?: string;
        };
        SubscribedDto: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            app_id: string;
            /** Format: uuid */
            user_id: string;
            /**
             * @description Null if only proposal events are subscribed to, to a key if the user made the subscription, and once the authorization of the user key that made it has ended.
             * @example https://hooks.example.org/graph
             */
            webhook_url: string | null;
            /**
             * @example [
             *       "node.created"
             *     ]
             */
            events: string[];
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description `delivery_failures`: the first try and all retries of one delivery failed. `gone`: the receiver answered 410. `authorization_ended`: that of the user key that made it; only a new POST enables it.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * @description Failed attempts since the last one that succeeded.
             * @example 0
             */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @example null
             */
            last_delivery_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Signs the deliveries; shown only if the service has made it, and only this once.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string;
        };
        SubscriptionDto: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            app_id: string;
            /** Format: uuid */
            user_id: string;
            /**
             * @description Null if only proposal events are subscribed to, to a key if the user made the subscription, and once the authorization of the user key that made it has ended.
             * @example https://hooks.example.org/graph
             */
            webhook_url: string | null;
            /**
             * @example [
             *       "node.created"
             *     ]
             */
            events: string[];
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description `delivery_failures`: the first try and all retries of one delivery failed. `gone`: the receiver answered 410. `authorization_ended`: that of the user key that made it; only a new POST enables it.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * @description Failed attempts since the last one that succeeded.
             * @example 0
             */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @example null
             */
            last_delivery_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UnsubscribedDto: {
            /** @example The webhook subscription was removed */
            message: string;
        };
        QueuedDeliveryDto: {
            /** Format: uuid */
            delivery_id: string;
        };
        DeliveryDto: {
            /**
             * Format: uuid
             * @description The `webhook-id` header of all its attempts.
             */
            id: string;
            /**
             * Format: uuid
             * @description The subscription.
             */
            webhook_id: string;
            /** @example node.created */
            event: string;
            /**
             * @example succeeded
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @example 1 */
            attempts: number;
            /**
             * @description The status of the last answer; null if there was none.
             * @example 200
             */
            response_status: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
        };
        DeliveriesDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            deliveries: components["schemas"]["DeliveryDto"][];
        };
        SubscribeToProposalsBody: {
            /**
             * @description `created`, `ready`, `approved`, `rejected`, `applied`, `failed`.
             * @example [
             *       "approved",
             *       "rejected"
             *     ]
             */
            event_types: ("created" | "ready" | "approved" | "rejected" | "applied" | "failed" | "proposal.created" | "proposal.ready" | "proposal.approved" | "proposal.rejected" | "proposal.applied" | "proposal.failed")[];
            /**
             * @description Public https address that events are posted to, up to 2,048 characters.
             * @example https://hooks.example.org/graph
             */
            webhook_url: string;
            /**
             * Format: uuid
             * @description With a JWT: the id of an app that the user has authorized. With a key it can be left out.
             * @example 8b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f
             */
            app_id?: string;
        };
        ProposalSubscriptionDto: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            app_id: string;
            /** Format: uuid */
            user_id: string;
            /**
             * @example [
             *       "approved",
             *       "rejected"
             *     ]
             */
            event_types: string[];
            /** @example https://hooks.example.org/graph */
            webhook_url: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description Signs the deliveries; shown only if the service has made it, and only this once.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret?: string;
            /** Format: date-time */
            created_at: string;
        };
        RpcAnswerDto: {
            /** @example 2.0 */
            jsonrpc: string;
            /**
             * @description The id of the message.
             * @example 1
             */
            id: unknown;
            /**
             * @description The result, by the method.
             * @example {
             *       "tools": []
             *     }
             */
            result?: {
                [key: string]: unknown;
            };
            /** @description The error, in place of a result. */
            error?: {
                [key: string]: unknown;
            };
        };
        VectorSearchBody: {
            /**
             * @description Only embeddings of this model; absent: any model.
             * @example all-MiniLM-L6-v2
             */
            model?: string | null;
            /**
             * @description Page size; values over 100 are lowered to 100.
             * @default 10
             */
            limit: number;
            /**
             * @description The minimum cosine similarity, -1 to 1.
             * @default 0
             * @example 0
             */
            min_score: number;
            /**
             * @default identity
             * @enum {string}
             */
            graph_view: "identity" | "neutral";
            /**
             * @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it.
             * @example 2000
             */
            value_limit?: number;
            /**
             * @description Compared with embeddings of the same length only.
             * @example [
             *       0.12,
             *       -0.53,
             *       0.84
             *     ]
             */
            embedding: number[];
            /**
             * @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present.
             * @example [
             *       "title",
             *       "metadata.properties"
             *     ]
             */
            fields?: string[];
        };
        VectorHitDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
            owner?: components["schemas"]["OwnerDto"];
            /**
             * @description Present in the list of deleted nodes.
             * @example 2026-03-02T10:00:00.000Z
             */
            deleted_at?: string;
            /**
             * Format: uuid
             * @description The node into which a merge has moved this deleted node; for the owner.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_into?: string;
            /**
             * @description The cosine similarity.
             * @example 0.93
             */
            similarity_score: number;
        };
        VectorHitsDto: {
            nodes: components["schemas"]["VectorHitDto"][];
            /**
             * @description The number of readable nodes with such an embedding and at least the minimum score.
             * @example 1
             */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
        };
        SearchBody: {
            /**
             * @description Only embeddings of this model; absent: any model.
             * @example all-MiniLM-L6-v2
             */
            model?: string | null;
            /**
             * @description Page size; values over 100 are lowered to 100.
             * @default 10
             */
            limit: number;
            /**
             * @description The minimum cosine similarity, -1 to 1.
             * @default 0
             * @example 0
             */
            min_score: number;
            /**
             * @default identity
             * @enum {string}
             */
            graph_view: "identity" | "neutral";
            /**
             * @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it.
             * @example 2000
             */
            value_limit?: number;
            /**
             * @description A question, or words of title, value, type, properties or tags. Letter case, accents and endings do not matter; nodes with more of the words come first.
             * @example Where did I learn to sail?
             */
            query?: string;
            /**
             * @description `any`: nodes with at least one word are found; small words ("the", "where") count only if the query has no others. `all`: nodes with every word.
             * @default any
             * @enum {string}
             */
            match: "any" | "all";
            /**
             * @description True: the last word may be the beginning of a longer one, for search as you type.
             * @default false
             */
            prefix: boolean;
            /**
             * @description Compared with embeddings of the same length only.
             * @example [
             *       0.12,
             *       -0.53,
             *       0.84
             *     ]
             */
            embedding?: number[];
            /**
             * @description Own nodes, those that others share with you, or both.
             * @default all
             * @enum {string}
             */
            access: "owned" | "shared" | "all";
            /**
             * @description Only nodes with any of these tags, by their ids from GET /tags.
             * @example [
             *       "6f1c1c1e-5d0a-4c62-9d52-0c4f6a3b9a11"
             *     ]
             */
            tag_ids?: string[];
            /**
             * @description Only nodes of any of these types.
             * @example [
             *       "GOAL"
             *     ]
             */
            node_types?: string[];
            /**
             * @description Only nodes of this meaning level.
             * @enum {string}
             */
            meaning_level?: "DATA" | "CONTEXT" | "IDENTITY";
            /**
             * @description Only nodes of any of these schemas; `__freeform__` stands for nodes without one.
             * @example [
             *       "__freeform__"
             *     ]
             */
            schema_ids?: string[];
            /**
             * Format: date-time
             * @description Only nodes that were created at this time or later. A node whose time of creation is rounded for the caller is not found by it.
             * @example 2026-01-01T00:00:00Z
             */
            created_from?: string;
            /**
             * Format: date-time
             * @description Only nodes that were created before this time.
             * @example 2030-01-01T00:00:00Z
             */
            created_before?: string;
            /**
             * @description Only nodes with these values in `metadata.properties`, as the caller is shown them. Texts are compared by their characters, and so are ISO dates.
             * @example [
             *       {
             *         "path": "status",
             *         "eq": "active"
             *       }
             *     ]
             */
            properties?: {
                /** @example address.city */
                path: string;
                eq?: string | number | boolean;
                gt?: string | number;
                gte?: string | number;
                lt?: string | number;
                lte?: string | number;
            }[];
            /**
             * @description Adds `highlights`: the part of title and value with the most words of the query, marked.
             * @default false
             */
            highlights: boolean;
            /**
             * @description The number of hits to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present.
             * @example [
             *       "title",
             *       "metadata.properties"
             *     ]
             */
            fields?: string[];
        };
        HalfScoreDto: {
            /**
             * @description The rank in this half, from 1.
             * @example 1
             */
            rank: number;
            /**
             * @description Words: how many of the query matched, and below 1 how prominent they are. Vectors: the cosine.
             * @example 2.13
             */
            score: number;
        };
        ScoresDto: {
            /** @description Null: not found by its words. */
            text: components["schemas"]["HalfScoreDto"] | null;
            /** @description Null: not found by its embedding. */
            vector: components["schemas"]["HalfScoreDto"] | null;
        };
        SnippetPartDto: {
            /** @example Learn to */
            text: string;
            /**
             * @description True: a word of the query.
             * @example false
             */
            marked: boolean;
        };
        HighlightDto: {
            /**
             * @example title
             * @enum {string}
             */
            field: "title" | "value";
            /** @description The snippet is their texts together; `…` at its ends stands for what is left out. */
            parts: components["schemas"]["SnippetPartDto"][];
        };
        SearchHitDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
            owner?: components["schemas"]["OwnerDto"];
            /**
             * @description Present in the list of deleted nodes.
             * @example 2026-03-02T10:00:00.000Z
             */
            deleted_at?: string;
            /**
             * Format: uuid
             * @description The node into which a merge has moved this deleted node; for the owner.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_into?: string;
            /**
             * @description Sum of 1 / (60 + rank) over the halves that found it.
             * @example 0.0325
             */
            score: number;
            scores: components["schemas"]["ScoresDto"];
            /** @description With `highlights`: cut from title and value as the caller is shown them. A replay by Idempotency-Key has none. */
            highlights?: components["schemas"]["HighlightDto"][];
        };
        CorrectionDto: {
            /**
             * @description A word of the query that no readable node has.
             * @example harbuor
             */
            word: string;
            /**
             * @description The stems of the words that were searched instead.
             * @example [
             *       "harbour"
             *     ]
             */
            sought: string[];
        };
        SearchHitsDto: {
            nodes: components["schemas"]["SearchHitDto"][];
            /**
             * @description The number of readable nodes that either half finds.
             * @example 1
             */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @description Misspelt words. A replay by Idempotency-Key has none. */
            corrections: components["schemas"]["CorrectionDto"][];
            /**
             * @description `off`: searched by words alone; `given`: also by the `embedding` of the request; `computed`: also by a vector of the query, which the service has computed; `unavailable`: it could not compute one now, so the search is by words alone.
             * @example off
             * @enum {string}
             */
            vectors: "off" | "given" | "computed" | "unavailable";
        };
        SimilarNodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
            owner?: components["schemas"]["OwnerDto"];
            /**
             * @description Present in the list of deleted nodes.
             * @example 2026-03-02T10:00:00.000Z
             */
            deleted_at?: string;
            /**
             * Format: uuid
             * @description The node into which a merge has moved this deleted node; for the owner.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_into?: string;
            /**
             * @description The likeness of the titles, or the cosine similarity of the vectors.
             * @example 0.92
             */
            similarity: number;
            /**
             * @description The strongest one that holds.
             * @example similar_title
             * @enum {string}
             */
            reason: "same_title" | "similar_title" | "similar_meaning";
        };
        SimilarNodesDto: {
            /** @description The most similar first, with their tags. */
            nodes: components["schemas"]["SimilarNodeDto"][];
            /**
             * @description True: there are more similar nodes than the answer has.
             * @example false
             */
            truncated: boolean;
        };
        EmbeddingItemBody: {
            /**
             * @description Finite numbers, not all zero. Only its direction counts.
             * @example [
             *       0.12,
             *       -0.53,
             *       0.84
             *     ]
             */
            embedding: number[];
            /**
             * @description The model that computed it. A node has one embedding for each model (or none named) and each length.
             * @example all-MiniLM-L6-v2
             */
            model?: string | null;
            /**
             * @description Id of the node.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        EmbeddingsBody: {
            embeddings: components["schemas"]["EmbeddingItemBody"][];
        };
        EmbeddingErrorDto: {
            /**
             * @description The position in the request, from 0.
             * @example 1
             */
            index: number;
            /**
             * @description The id as it was sent.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string | null;
            /** @example Node not found */
            error: string;
            /** @example NODE_NOT_FOUND */
            code: string;
        };
        EmbeddingsDto: {
            /**
             * @description The number of saved items.
             * @example 1
             */
            updated: number;
            /** @example 1 */
            failed: number;
            errors: components["schemas"]["EmbeddingErrorDto"][];
        };
        EmbeddingBody: {
            /**
             * @description Finite numbers, not all zero. Only its direction counts.
             * @example [
             *       0.12,
             *       -0.53,
             *       0.84
             *     ]
             */
            embedding: number[];
            /**
             * @description The model that computed it. A node has one embedding for each model (or none named) and each length.
             * @example all-MiniLM-L6-v2
             */
            model?: string | null;
        };
        EmbeddingDto: {
            /**
             * Format: uuid
             * @description Id of the node.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /** @example all-MiniLM-L6-v2 */
            model: string | null;
            /**
             * @description Its length.
             * @example 3
             */
            dimensions: number;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at: string;
        };
        EmbeddingServiceDto: {
            /**
             * @description Where texts are sent.
             * @example api.example.org
             */
            host: string;
            /** @example text-embedding-3-small */
            model: string;
        };
        EmbeddingSettingsDto: {
            /**
             * Format: uuid
             * @description The exposure profile that decides: the text of nodes that it does not show in full is never sent. Null: off.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            profile_id: string | null;
            /**
             * @description `off`; `removing`: vectors that the service has made are being removed; `working`: texts wait for their vectors; `up_to_date`: every text that may be sent has been.
             * @example off
             * @enum {string}
             */
            state: "off" | "removing" | "working" | "up_to_date";
            /**
             * @description Vectors that the service has made.
             * @example 0
             */
            vectors: number;
            /** @description The operator's service for vectors. Null: there is none, and nothing can be switched on. */
            service: components["schemas"]["EmbeddingServiceDto"] | null;
        };
        EmbeddingSettingsBody: {
            /**
             * @description The exposure profile that decides: the text of nodes that it does not show in full is never sent. Null: off.
             * @example null
             */
            profile_id: string | null;
        };
        CreateNodeBody: {
            /**
             * @description Additional notes.
             * @example Before autumn.
             */
            value?: string | null;
            /**
             * @description The default is CONTEXT.
             * @example IDENTITY
             * @enum {string|null}
             */
            meaning_level?: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @description Stored, never returned. The default is `identity`.
             * @enum {string|null}
             */
            graph_view?: "identity" | "neutral" | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @description At most 256 KiB and 32 levels; `properties` holds the fields of the node type.
             * @example {
             *       "properties": {
             *         "status": "active",
             *         "time_horizon": "short_term"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The agent that made this, and its method; `agent_id` attributes the change to it. Names and `session_id` have at most 1,000 characters.
             * @example {
             *       "agent_name": "note-reader",
             *       "confidence_score": 0.9
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The agent that the change is attributed to.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            last_modified_by_agent_id?: string | null;
            /**
             * @description Id of a schema.
             * @example 00000000-0000-7000-8000-000000000005
             */
            schema_id?: string | null;
            /**
             * @description Names of tags (1 to 100 characters), made where needed, or ids of own tags; at most 50 different ones.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description The reason in history; takes precedence over the header X-Change-Reason.
             * @example first draft
             */
            change_reason?: string | null;
            /**
             * @description Main description.
             * @example Learn to sail
             */
            title: string;
            /**
             * @description With meaning level IDENTITY one of EXPERIENCE, BELIEF, ENTITY, GOAL; else free.
             * @example GOAL
             */
            node_type: string;
        };
        BatchBody: {
            nodes: components["schemas"]["CreateNodeBody"][];
            /**
             * @description The action for an item whose graph view, title and value equal those of an existing node.
             * @default skip
             * @enum {string}
             */
            on_duplicate: "skip" | "overwrite";
        };
        BatchItemDto: {
            /**
             * @description The position in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title: string;
        };
        BatchErrorDto: {
            /** @example 1 */
            index: number;
            /** @example Untyped */
            title: string | null;
            /** @example node_type: is required */
            error: string;
            /** @example VALIDATION_ERROR */
            code: string;
        };
        BatchSummaryDto: {
            /** @example 2 */
            total: number;
            /** @example 1 */
            created: number;
            /** @example 0 */
            skipped: number;
            /** @example 0 */
            updated: number;
            /** @example 1 */
            errors: number;
        };
        BatchDto: {
            created: components["schemas"]["BatchItemDto"][];
            skipped: components["schemas"]["BatchItemDto"][];
            updated: components["schemas"]["BatchItemDto"][];
            errors: components["schemas"]["BatchErrorDto"][];
            summary: components["schemas"]["BatchSummaryDto"];
        };
        BulkDeleteBody: {
            /**
             * @description Ids of nodes, from GET /nodes.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            node_ids: string[];
        };
        BulkDeleteErrorDto: {
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            node_id: string;
            /** @example Node not found */
            error: string;
            /** @example NODE_NOT_FOUND */
            code: string;
        };
        BulkDeleteDto: {
            /**
             * @description The number of deleted nodes.
             * @example 1
             */
            deleted: number;
            errors: components["schemas"]["BulkDeleteErrorDto"][];
        };
        LookupBody: {
            /**
             * @description Ids of nodes, own and shared ones. A repeated id counts once.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            ids: string[];
            /**
             * @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present.
             * @example [
             *       "title",
             *       "metadata.properties"
             *     ]
             */
            fields?: string[];
            /**
             * @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it.
             * @example 2000
             */
            value_limit?: number;
        };
        LookedUpNodesDto: {
            /** @description The readable ones, in the order of the ids, with their tags. */
            nodes: components["schemas"]["ListedNodeDto"][];
            /**
             * @description True: the answer is full (4 MiB); ask again for the ids behind that of the last node.
             * @example false
             */
            truncated: boolean;
        };
        TagFacetDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example work */
            name: string;
            /**
             * @description The number of nodes.
             * @example 12
             */
            count: number;
        };
        NodeTypeFacetDto: {
            /**
             * @description As the nodes have it written.
             * @example GOAL
             */
            node_type: string;
            /**
             * @description The number of nodes.
             * @example 12
             */
            count: number;
        };
        MeaningLevelFacetDto: {
            /** @example IDENTITY */
            meaning_level: string;
            /**
             * @description The number of nodes.
             * @example 12
             */
            count: number;
        };
        SchemaFacetDto: {
            /**
             * @description The id; `__freeform__` for nodes without a schema.
             * @example __freeform__
             */
            id: string;
            /**
             * @description Null for nodes without a schema, and for a schema that you cannot see.
             * @example null
             */
            name: string | null;
            /**
             * @description The number of nodes.
             * @example 12
             */
            count: number;
        };
        MonthFacetDto: {
            /**
             * @description Of the time of creation as you are shown it, in UTC. A time that is rounded to its year counts in January.
             * @example 2026-03
             */
            month: string;
            /**
             * @description The number of nodes.
             * @example 12
             */
            count: number;
        };
        NodeFacetsDto: {
            /**
             * @description The number of all nodes, as `total` of the list.
             * @example 12
             */
            total: number;
            /** @description The 100 tags with most nodes, the most frequent first, equally frequent ones by name. A node counts with each of its tags. Empty at detail minimal. */
            tags: components["schemas"]["TagFacetDto"][];
            /**
             * @description The number of all such tags.
             * @example 1
             */
            tags_total: number;
            /**
             * @description True: tags of people who share with you are left out, as in GET /tags. Your own tags are complete.
             * @example false
             */
            tags_truncated: boolean;
            /** @description The 100 node types with most nodes, the most frequent first, equally frequent ones by name. The filter `node_type` also finds other spellings of a type. */
            node_types: components["schemas"]["NodeTypeFacetDto"][];
            /**
             * @description The number of all such types.
             * @example 1
             */
            node_types_total: number;
            /** @description The meaning levels, the most frequent first. */
            meaning_levels: components["schemas"]["MeaningLevelFacetDto"][];
            /** @description The 100 schemas with most nodes, the most frequent first, equally frequent ones by id. */
            schemas: components["schemas"]["SchemaFacetDto"][];
            /**
             * @description The number of all such schemas.
             * @example 1
             */
            schemas_total: number;
            /** @description The 100 months with most nodes, the most frequent first, equally frequent ones by time. */
            months: components["schemas"]["MonthFacetDto"][];
            /**
             * @description The number of all such months.
             * @example 1
             */
            months_total: number;
        };
        NodeCountDto: {
            /** @example 42 */
            count: number;
        };
        NodeTagBody: {
            /**
             * @description Id of the tag, from GET /tags.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id: string;
            /**
             * @description How much the node is about the tag. Set when the tag is added; to change it, add the tag again.
             * @example 0.7
             */
            relevance_score?: number | null;
            is_auto_generated?: boolean | null;
        };
        NodeTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id: string;
            /** @example 0.7 */
            relevance_score: number | null;
            /** @example false */
            is_auto_generated: boolean;
            /**
             * @description The time, as dates of nodes are shown to you.
             * @example 2026-03-01T10:00:00.000Z
             */
            created_at?: string | null;
        };
        RemovedNodeTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id: string;
            /** @example true */
            removed: boolean;
            /**
             * @description True if the node was deleted with its last tag.
             * @example false
             */
            node_deleted: boolean;
        };
        ThirdPartyTagBody: {
            /**
             * @description `#RRGGBB`
             * @example #3366CC
             */
            color?: string | null;
            /** @example topic */
            category?: string | null;
            /** @example Everything about my job */
            description?: string | null;
            /**
             * @description Unique among your tags, letter case aside.
             * @example work
             */
            name: string;
        };
        TaggedNodeDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description Missing at detail minimal.
             * @example Learn to sail
             */
            title?: string | null;
        };
        ListedTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example work */
            name: string;
            /**
             * @description Missing for callers who may know only the name of the tag.
             * @example #3366CC
             */
            color?: string | null;
            /**
             * @description Missing for callers who may know only the name of the tag.
             * @example topic
             */
            category?: string | null;
            /**
             * @description Missing for callers who may know only the name of the tag.
             * @example Everything about my job
             */
            description?: string | null;
            /**
             * Format: uuid
             * @description Missing for callers who may know only the name of the tag. Null also for a parent you may not know.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            parent_tag_id?: string | null;
            /**
             * Format: uuid
             * @description Missing for callers who may know only the name of the tag.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id?: string;
            /**
             * Format: date-time
             * @description Missing for callers who may know only the name of the tag.
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description Missing when any part of the graph is hidden from you.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at?: string;
            /** @description With include_nodes: the 10 newest of the nodes with this tag that you can read. */
            nodes?: components["schemas"]["TaggedNodeDto"][];
            /**
             * @description With include_nodes: their total number, in `view`. With include_node_counts: the number of nodes that GET /nodes finds by the tag, own and shared ones of both graph views; at least, where `truncated` is true.
             * @example 12
             */
            node_count?: number;
        };
        TagListDto: {
            tags: components["schemas"]["ListedTagDto"][];
            /**
             * @description The total number of matching tags.
             * @example 1
             */
            total: number;
            /**
             * @description The applied page size: the number of tags where their size ended the page.
             * @example 50
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @example 1 */
            page: number;
            /** @example 50 */
            per_page: number;
            /**
             * @description True: people who share with you have more tags or nodes than are looked at. Your own tags are complete.
             * @example false
             */
            truncated: boolean;
        };
        BulkDeleteTagsBody: {
            /**
             * @description Ids of tags, from GET /tags.
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            tag_ids: string[];
        };
        BulkDeletedTagsDto: {
            /** @example 1 */
            deleted_count: number;
            /**
             * @description Sent ids that are not a tag you may know.
             * @example []
             */
            not_found_ids: string[];
            /** @example 1 tag deleted */
            message: string;
        };
        UpdateTagBody: {
            /**
             * @description `#RRGGBB`
             * @example #3366CC
             */
            color?: string | null;
            /** @example topic */
            category?: string | null;
            /** @example Everything about my job */
            description?: string | null;
            /** @example work */
            name?: string;
            /**
             * Format: uuid
             * @description The tag above this one; null makes it a top-level tag.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            parent_tag_id?: string | null;
        };
        DeletedTagDto: {
            /** @example Tag deleted */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * @description The number of living nodes with the tag that you can read.
             * @example 3
             */
            affected_nodes: number;
        };
        CreateSchemaBody: {
            /** @example How a dish is made. */
            description?: string | null;
            /** @example content */
            category?: string | null;
            /** @example recipe */
            recommended_node_type?: string | null;
            /**
             * @example DATA
             * @enum {string|null}
             */
            recommended_meaning_level?: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @description `public` (the default): all users see it.
             * @example public
             * @enum {string|null}
             */
            scope?: "public" | "private" | null;
            /**
             * @description Required when scope is private: for the owner, or only for the app that creates it.
             * @example null
             * @enum {string|null}
             */
            private_to?: "user" | "app" | null;
            /**
             * @description Id of the schema that it inherits from.
             * @example null
             */
            extends?: string | null;
            /** @description The default is false. */
            recommended_by_developer?: boolean | null;
            /**
             * @description Anything, at most 64 KiB.
             * @example {
             *       "icon": "pot"
             *     }
             */
            schema_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example Recipe */
            name: string;
            /**
             * @description For `metadata.properties` of nodes. JSON Schema 2020-12, or 2019-09 or draft-07 by `$schema`; at most 64 KiB and 32 levels, references within itself only, patterns without looking around. `format` is an annotation; with `"x-assert-formats": true` at the top it is checked.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "servings": {
             *           "type": "integer",
             *           "minimum": 1
             *         },
             *         "difficulty": {
             *           "enum": [
             *             "easy",
             *             "hard"
             *           ]
             *         }
             *       },
             *       "required": [
             *         "servings"
             *       ]
             *     }
             */
            json_schema: {
                [key: string]: unknown;
            };
            /**
             * @description Unique; never changes. Generated from the name when absent.
             * @example null
             */
            schema_uri?: string | null;
        };
        ParentSchemaDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Recipe */
            name: string;
            /** @example user.9b2f6c1e:Dish */
            schema_uri: string;
            /** @example 3 */
            version: number;
        };
        SchemaDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Recipe */
            name: string;
            /** @example How a dish is made. */
            description: string | null;
            /** @example content */
            category: string | null;
            /** @example recipe */
            recommended_node_type: string | null;
            /**
             * @example DATA
             * @enum {string|null}
             */
            recommended_meaning_level: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @example public
             * @enum {string}
             */
            scope: "public" | "private";
            /**
             * @example null
             * @enum {string|null}
             */
            private_to: "user" | "app" | null;
            /** @example user.9b2f6c1e:Recipe */
            schema_uri: string;
            /** @example 1 */
            version: number;
            /**
             * Format: uuid
             * @description Null also for a parent that you cannot see.
             * @example null
             */
            extends: string | null;
            /** @example false */
            recommended_by_developer: boolean;
            /**
             * @example {
             *       "icon": "pot"
             *     }
             */
            schema_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Present if include_json_schema is true.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "servings": {
             *           "type": "integer",
             *           "minimum": 1
             *         },
             *         "difficulty": {
             *           "enum": [
             *             "easy",
             *             "hard"
             *           ]
             *         }
             *       },
             *       "required": [
             *         "servings"
             *       ]
             *     }
             */
            json_schema?: {
                [key: string]: unknown;
            };
            /**
             * @example user
             * @enum {string}
             */
            owner: "system" | "user";
            /**
             * Format: uuid
             * @description Null for schemas of others.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string | null;
            /**
             * Format: uuid
             * @description Shown to the owner and to that app.
             * @example null
             */
            created_by_app_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /** @description With resolve: the schemas that it inherits from, nearest first. `json_schema` is merged then. */
            parents?: components["schemas"]["ParentSchemaDto"][];
        };
        SchemasDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            schemas: components["schemas"]["SchemaDto"][];
        };
        SchemaCategoriesDto: {
            /**
             * @example [
             *       "content",
             *       "identity",
             *       "system"
             *     ]
             */
            categories: string[];
        };
        SchemaVersionsDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @description Newest first. */
            versions: components["schemas"]["SchemaDto"][];
        };
        ChangeSchemaBody: {
            /** @example How a dish is made. */
            description?: string | null;
            /** @example content */
            category?: string | null;
            /** @example recipe */
            recommended_node_type?: string | null;
            /**
             * @example DATA
             * @enum {string|null}
             */
            recommended_meaning_level?: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @description `public` (the default): all users see it.
             * @example public
             * @enum {string|null}
             */
            scope?: "public" | "private" | null;
            /**
             * @description Required when scope is private: for the owner, or only for the app that creates it.
             * @example null
             * @enum {string|null}
             */
            private_to?: "user" | "app" | null;
            /**
             * @description Id of the schema that it inherits from.
             * @example null
             */
            extends?: string | null;
            /** @description The default is false. */
            recommended_by_developer?: boolean | null;
            /**
             * @description Anything, at most 64 KiB.
             * @example {
             *       "icon": "pot"
             *     }
             */
            schema_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example Recipe */
            name?: string;
            /**
             * @description For `metadata.properties` of nodes. JSON Schema 2020-12, or 2019-09 or draft-07 by `$schema`; at most 64 KiB and 32 levels, references within itself only, patterns without looking around. `format` is an annotation; with `"x-assert-formats": true` at the top it is checked.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "servings": {
             *           "type": "integer",
             *           "minimum": 1
             *         },
             *         "difficulty": {
             *           "enum": [
             *             "easy",
             *             "hard"
             *           ]
             *         }
             *       },
             *       "required": [
             *         "servings"
             *       ]
             *     }
             */
            json_schema?: {
                [key: string]: unknown;
            };
        };
        ChangedSchemaDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Recipe */
            name: string;
            /** @example How a dish is made. */
            description: string | null;
            /** @example content */
            category: string | null;
            /** @example recipe */
            recommended_node_type: string | null;
            /**
             * @example DATA
             * @enum {string|null}
             */
            recommended_meaning_level: "DATA" | "CONTEXT" | "IDENTITY" | null;
            /**
             * @example public
             * @enum {string}
             */
            scope: "public" | "private";
            /**
             * @example null
             * @enum {string|null}
             */
            private_to: "user" | "app" | null;
            /** @example user.9b2f6c1e:Recipe */
            schema_uri: string;
            /** @example 1 */
            version: number;
            /**
             * Format: uuid
             * @description Null also for a parent that you cannot see.
             * @example null
             */
            extends: string | null;
            /** @example false */
            recommended_by_developer: boolean;
            /**
             * @example {
             *       "icon": "pot"
             *     }
             */
            schema_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Present if include_json_schema is true.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "servings": {
             *           "type": "integer",
             *           "minimum": 1
             *         },
             *         "difficulty": {
             *           "enum": [
             *             "easy",
             *             "hard"
             *           ]
             *         }
             *       },
             *       "required": [
             *         "servings"
             *       ]
             *     }
             */
            json_schema?: {
                [key: string]: unknown;
            };
            /**
             * @example user
             * @enum {string}
             */
            owner: "system" | "user";
            /**
             * Format: uuid
             * @description Null for schemas of others.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id: string | null;
            /**
             * Format: uuid
             * @description Shown to the owner and to that app.
             * @example null
             */
            created_by_app_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string;
            /** @description With resolve: the schemas that it inherits from, nearest first. `json_schema` is merged then. */
            parents?: components["schemas"]["ParentSchemaDto"][];
            /**
             * @description How many of the nodes that you can read, with this schema or one that inherits it, were valid before and no longer are.
             * @example 0
             */
            invalid_nodes: number;
            /**
             * @description At most 20 of them.
             * @example []
             */
            invalid_node_ids: string[];
        };
        ValidateBody: {
            /**
             * @description Its `properties` are validated if they are an object, otherwise all of it.
             * @example {
             *       "properties": {
             *         "servings": 4
             *       }
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
        };
        ValidationDto: {
            /** @example false */
            valid: boolean;
            /**
             * @description `<JSON Pointer>: <message>`; values are not repeated.
             * @example [
             *       "/servings: must be at least 1"
             *     ]
             */
            errors: string[];
        };
        UploadNodeBody: {
            /**
             * Format: binary
             * @description The one file of the body, with a file name.
             * @example (the bytes of boat.pdf)
             */
            file: string;
            /**
             * @description A JSON array of names of tags (1 to 100 characters), made where needed, or ids of own tags; at most 50 different ones.
             * @example ["sea","plans"]
             */
            tags?: string;
            /**
             * @description A JSON object for the metadata of the node. What the service knows of the file goes before it.
             * @example {"properties":{"project":"boat"}}
             */
            metadata?: string;
        };
        FileLinkDto: {
            /**
             * Format: uri
             * @description Works without other credentials, as long as you may download the file yourself.
             * @example http://127.0.0.1:3000/api/v1/raw-files/9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94/content?caller=app
             */
            download_url: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:05:00.000Z
             */
            expires_at: string;
        };
        FileDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example letter.pdf */
            filename?: string | null;
            /** @example application/pdf */
            content_type?: string | null;
            /**
             * @description Bytes.
             * @example 20480
             */
            size?: number | null;
            /**
             * @example document
             * @enum {string}
             */
            data_type: "text" | "image" | "audio" | "video" | "document" | "other";
            /** @example pdf */
            format?: string | null;
            /**
             * @example unstructured
             * @enum {string}
             */
            structure_type: "structured" | "unstructured";
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            owner_id?: string;
            /**
             * @example [
             *       "9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94"
             *     ]
             */
            tag_ids?: string[];
            /** @description Present at detail full. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at: string | null;
        };
        TaggedFilesDto: {
            files: components["schemas"]["FileDto"][];
            /** @example 1 */
            total: number;
            /** @example 20 */
            limit: number;
            /** @example 0 */
            offset: number;
        };
        UploadFileBody: {
            /**
             * Format: binary
             * @description The one file of the body, with a file name.
             * @example (the bytes of boat.pdf)
             */
            file: string;
            /**
             * @description Ids of tags, separated by commas.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_ids?: string;
            /**
             * @description A JSON object for the metadata of the node. What the service knows of the file goes before it.
             * @example {"properties":{"project":"boat"}}
             */
            metadata?: string;
            /**
             * @description Detected when absent.
             * @example document
             * @enum {string}
             */
            data_type?: "text" | "image" | "audio" | "video" | "document" | "other";
            /**
             * @description The extension of the name when absent.
             * @example pdf
             */
            format?: string;
            /**
             * @default unstructured
             * @example unstructured
             * @enum {string}
             */
            structure_type: "structured" | "unstructured";
        };
        FilesDto: {
            files: components["schemas"]["FileDto"][];
            /** @example 1 */
            total: number;
            /** @example 20 */
            limit: number;
            /** @example 0 */
            offset: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            per_page: number;
        };
        ChangeFileBody: {
            /** @example letter.pdf */
            filename?: string;
            /**
             * @description Replaces everything but the facts that the service records; null clears it.
             * @example {
             *       "properties": {
             *         "project": "boat"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        DeletedFileDto: {
            /** @example File deleted */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
        FileTagBody: {
            /**
             * @description Id of the tag, from GET /tags.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id: string;
        };
        FileTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            file_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id: string;
        };
        RemovedFileTagDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            file_id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            tag_id: string;
            /** @example true */
            removed: boolean;
            /**
             * @description True if the file was deleted with its last tag.
             * @example false
             */
            node_deleted: boolean;
        };
        NeighborDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /** @example Learn to sail */
            title?: string | null;
            /** @example Before autumn. */
            value?: string | null;
            /**
             * @description True: `value_limit` has cut `value`.
             * @example true
             */
            value_truncated?: boolean;
            /** @example GOAL */
            node_type?: string | null;
            /**
             * @description DATA, CONTEXT or IDENTITY.
             * @example IDENTITY
             */
            meaning_level?: string | null;
            /** @example 0.8 */
            importance_score?: number | null;
            /**
             * @example {
             *       "properties": {
             *         "status": "active"
             *       }
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "agent_name": "note-reader"
             *     }
             */
            agent_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example null */
            last_modified_by_agent_id?: string | null;
            /** @example null */
            schema_id?: string | null;
            /**
             * @description Names of the tags that the caller may know.
             * @example [
             *       "sea",
             *       "plans"
             *     ]
             */
            tags?: string[] | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            created_at?: string | null;
            /** @example 2026-03-01T10:00:00.000Z */
            updated_at?: string | null;
            /** @example 1 */
            version?: number | null;
            /**
             * @description True for another user's node. A single read of an own one lacks it.
             * @example false
             */
            is_shared?: boolean;
            owner?: components["schemas"]["OwnerDto"];
            /**
             * @description Present in the list of deleted nodes.
             * @example 2026-03-02T10:00:00.000Z
             */
            deleted_at?: string;
            /**
             * Format: uuid
             * @description The node into which a merge has moved this deleted node; for the owner.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            merged_into?: string;
            /**
             * @description The number of relationships on the shortest way to it.
             * @example 0
             */
            distance: number;
        };
        NeighborhoodDto: {
            /** @description The node itself first, then by distance, each once and with its tags. */
            nodes: components["schemas"]["NeighborDto"][];
            /** @description The relationships between these nodes, newest first, at most 1000. */
            relationships: components["schemas"]["RelationshipDto"][];
            /**
             * @description True: there are more nodes as near, or more relationships, than the answer has.
             * @example false
             */
            truncated: boolean;
        };
        NodeRelationshipsDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            node_id: string;
            /** @description The newest 1000. */
            outgoing: components["schemas"]["RelationshipDto"][];
            /** @description The newest 1000. */
            incoming: components["schemas"]["RelationshipDto"][];
            /**
             * @description The total number, even if not all are listed.
             * @example 1
             */
            total_outgoing: number;
            /**
             * @description The total number, even if not all are listed.
             * @example 0
             */
            total_incoming: number;
        };
        CreateRelationshipBody: {
            /**
             * Format: uuid
             * @description Id of the node it starts from, as POST or GET /nodes give it; you need edit on it.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            from_node_id: string;
            /**
             * Format: uuid
             * @description Id of the node it leads to, from there too; another one that you can read.
             * @example e7a04b93-5c1f-4e28-9b76-2a8d6f3c0e15
             */
            to_node_id: string;
            /**
             * @description E.g. references, related_to, parent_of, child_of, depends_on, created_by, knows.
             * @example references
             */
            relationship_type: string;
            /** @example 0.8 */
            strength?: number | null;
            /** @example 0.8 */
            confidence?: number | null;
            /** @example Quoted in the second paragraph */
            context?: string | null;
            /**
             * @description Also creates the edge in the other direction; you need edit on both nodes.
             * @default false
             */
            bidirectional: boolean;
            /**
             * @default identity
             * @example identity
             * @enum {string}
             */
            graph_view: "identity" | "neutral";
            /** @example positive */
            emotion_type?: string | null;
            /** @example 0.4 */
            sentiment_score?: number | null;
        };
        CreatedRelationshipDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            from_node_id: string;
            /**
             * Format: uuid
             * @example e7a04b93-5c1f-4e28-9b76-2a8d6f3c0e15
             */
            to_node_id: string;
            /**
             * @description Missing at detail minimal.
             * @example references
             */
            relationship_type?: string | null;
            /** @example 0.8 */
            strength?: number | null;
            /** @example 0.8 */
            confidence?: number | null;
            /**
             * @description Present at detail full.
             * @example Quoted in the second paragraph
             */
            context?: string | null;
            /**
             * @description True if it was created together with one in the other direction.
             * @example false
             */
            bidirectional?: boolean | null;
            /**
             * @example identity
             * @enum {string|null}
             */
            graph_view?: "identity" | "neutral" | null;
            /**
             * @description Missing at detail minimal.
             * @example positive
             */
            emotion_type?: string | null;
            /** @example 0.4 */
            sentiment_score?: number | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description Missing when any part of the graph is hidden from you.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at?: string | null;
            /**
             * @description Missing when any part of the graph is hidden from you.
             * @example 1
             */
            version?: number | null;
            /**
             * Format: uuid
             * @description The edge in the other direction, if bidirectional.
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            reverse_relationship_id?: string;
        };
        ListedRelationshipDto: {
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            from_node_id: string;
            /**
             * Format: uuid
             * @example e7a04b93-5c1f-4e28-9b76-2a8d6f3c0e15
             */
            to_node_id: string;
            /**
             * @description Missing at detail minimal.
             * @example references
             */
            relationship_type?: string | null;
            /** @example 0.8 */
            strength?: number | null;
            /** @example 0.8 */
            confidence?: number | null;
            /**
             * @description Present at detail full.
             * @example Quoted in the second paragraph
             */
            context?: string | null;
            /**
             * @description True if it was created together with one in the other direction.
             * @example false
             */
            bidirectional?: boolean | null;
            /**
             * @example identity
             * @enum {string|null}
             */
            graph_view?: "identity" | "neutral" | null;
            /**
             * @description Missing at detail minimal.
             * @example positive
             */
            emotion_type?: string | null;
            /** @example 0.4 */
            sentiment_score?: number | null;
            /** @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94 */
            owner_id?: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description Missing when any part of the graph is hidden from you.
             * @example 2026-01-31T12:00:00.000Z
             */
            updated_at?: string | null;
            /**
             * @description Missing when any part of the graph is hidden from you.
             * @example 1
             */
            version?: number | null;
            /** @description With include_nodes. */
            from_node?: components["schemas"]["NodeDto"];
            /** @description With include_nodes. */
            to_node?: components["schemas"]["NodeDto"];
        };
        RelationshipListDto: {
            /** @example 1 */
            total: number;
            /**
             * @description The applied page size.
             * @example 20
             */
            limit: number;
            /** @example 0 */
            offset: number;
            relationships: components["schemas"]["ListedRelationshipDto"][];
        };
        UpdateRelationshipBody: {
            /**
             * @description E.g. references, related_to, parent_of, child_of, depends_on, created_by, knows.
             * @example references
             */
            relationship_type?: string;
            /** @example 0.8 */
            strength?: number | null;
            /** @example 0.8 */
            confidence?: number | null;
            /** @example Quoted in the second paragraph */
            context?: string | null;
            /**
             * @example identity
             * @enum {string}
             */
            graph_view?: "identity" | "neutral";
            /** @example positive */
            emotion_type?: string | null;
            /** @example 0.4 */
            sentiment_score?: number | null;
        };
        DeletedRelationshipDto: {
            /** @example Relationship deleted */
            message: string;
            /**
             * Format: uuid
             * @example 9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94
             */
            id: string;
        };
    };
    responses: {
        /** @description The answer whose entity tag `If-None-Match` names still holds. */
        Unchanged: {
            headers: {
                ETag: components["headers"]["ETag-Of-Answer"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The limit of the window with the fewest requests left. */
        "X-RateLimit-Limit": number;
        /** @description The number of requests left in that window. */
        "X-RateLimit-Remaining": number;
        /** @description The end of that window, as Unix time in seconds. */
        "X-RateLimit-Reset": number;
        /** @description After a write to your own graph or account with a JWT: the used amount and the limit of each quota, as a dictionary of RFC 9651 such as `nodes=12;limit=250000, tags=3;limit=10000`. Quotas without limit are left out. */
        "X-Quota": string;
        /** @description Present if the body has fields that the operation does not know: their dotted paths, up to 1,000 characters, then `...`. Characters other than letters, digits, `-` and `_` are percent-encoded. */
        "Ignored-Fields": string;
        /** @description For If-None-Match: a digest of the answer, behind the version where it has one. */
        "ETag-Of-Answer": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    Health_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
        };
    };
    Health_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
        };
    };
    Metrics_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    Auth_register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInDto"];
                };
            };
        };
    };
    Auth_logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInDto"];
                };
            };
        };
    };
    Auth_refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokensDto"];
                };
            };
        };
    };
    Auth_logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Auth_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccountDto"];
                };
            };
        };
    };
    Portability_erase: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseAccountBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Auth_updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccountDto"];
                };
            };
        };
    };
    Auth_changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    LogIns_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogInsDto"];
                };
            };
        };
    };
    LogIns_endAll: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    LogIns_end: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The auth session's id. */
                auth_session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    LogIns_reauthenticate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReauthenticateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenDto"];
                };
            };
        };
    };
    PasswordResets_request: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterOnItsWayDto"];
                };
            };
        };
    };
    PasswordResets_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Email_change: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterOnItsWayDto"];
                };
            };
        };
    };
    Email_confirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Email_undo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Email_request: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterOnItsWayDto"];
                };
            };
        };
    };
    Email_verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    LinkPage_page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    LinkPage_script: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    SecondFactors_logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInAnswerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInDto"];
                };
            };
        };
    };
    SecondFactors_reauthenticate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChallengeAnswerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenDto"];
                };
            };
        };
    };
    SecondFactors_beginTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunTotpDto"];
                };
            };
        };
    };
    SecondFactors_removeTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorProofBody"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    SecondFactors_confirmTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCodeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesDto"];
                };
            };
        };
    };
    SecondFactors_replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesDto"];
                };
            };
        };
    };
    Passkeys_options: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationDto"];
                };
            };
        };
    };
    Passkeys_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeysDto"];
                };
            };
        };
    };
    Passkeys_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyDto"];
                };
            };
        };
    };
    Passkeys_remove: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The passkey's id. */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Passkeys_rename: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The passkey's id. */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenamePasskeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyDto"];
                };
            };
        };
    };
    PasskeyLogIns_logInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestDto"];
                };
            };
        };
    };
    PasskeyLogIns_logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInPasskeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInDto"];
                };
            };
        };
    };
    PasskeyLogIns_stepUpOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestDto"];
                };
            };
        };
    };
    PasskeyLogIns_stepUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsePasskeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenDto"];
                };
            };
        };
    };
    PasskeyPage_page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    PasskeyPage_script: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    KeySet_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySetDto"];
                };
            };
        };
    };
    Users_byUsername: {
        parameters: {
            query: {
                /** @description The exact username. */
                username: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersDto"];
                };
            };
        };
    };
    Users_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDto"];
                };
            };
        };
    };
    Apps_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppsDto"];
                };
            };
        };
    };
    Apps_register: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAppBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAppDto"];
                };
            };
        };
    };
    Apps_current: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentAppDto"];
                };
            };
        };
    };
    Apps_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The app's id. */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppDto"];
                };
            };
        };
    };
    Apps_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The app's id. */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAppDto"];
                };
            };
        };
    };
    Apps_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The app's id. */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAppBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppDto"];
                };
            };
        };
    };
    AppKeys_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The app's id. */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysDto"];
                };
            };
        };
    };
    AppKeys_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The app's id. */
                app_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKeyDto"];
                };
            };
        };
    };
    AppKeys_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The app's id. */
                app_id: string;
                /** @description The key's id. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    AppMetrics_metrics: {
        parameters: {
            query?: {
                /** @description The number of days, up to today. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description The third party's id. */
                third_party_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsDto"];
                };
            };
        };
    };
    CurrentAuthorization_current: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentAuthorizationDto"];
                };
            };
        };
    };
    CurrentAuthorization_giveUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAuthorizationDto"];
                };
            };
        };
    };
    CurrentAuthorization_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only those of this status. */
                status?: "active" | "revoked" | "expired";
                /** @description Adds node_counts to each authorization, of at most 20 on a page. */
                include_node_counts?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationsDto"];
                };
            };
        };
    };
    Authorizations_preview: {
        parameters: {
            query: {
                /** @description Id of an app; its developer has it from POST or GET /apps. */
                app_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewDto"];
                };
            };
        };
    };
    Authorizations_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only those of this status. */
                status?: "active" | "revoked" | "expired";
                /** @description Adds node_counts to each authorization, of at most 20 on a page. */
                include_node_counts?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationsDto"];
                };
            };
        };
    };
    Authorizations_approve: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedDto"];
                };
            };
        };
    };
    Authorizations_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The authorization's id. */
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationDto"];
                };
            };
        };
    };
    Authorizations_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The authorization's id. */
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAuthorizationDto"];
                };
            };
        };
    };
    Authorizations_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The authorization's id. */
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAuthorizationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationDto"];
                };
            };
        };
    };
    AppSessions_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Those that are connected, or those that have ended in the last 90 days. */
                status?: "active" | "ended";
            };
            header?: never;
            path: {
                /** @description The authorization's id. */
                authorization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppSessionsDto"];
                };
            };
        };
    };
    AppSessions_end: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The authorization's id. */
                authorization_id: string;
                /** @description The app session's id. */
                app_session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessionDto"];
                };
            };
        };
    };
    ExposureProfiles_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only active or only inactive ones. */
                is_active?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfilesDto"];
                };
            };
        };
    };
    ExposureProfiles_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProfileBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDto"];
                };
            };
        };
    };
    ExposureProfiles_getDefault: {
        parameters: {
            query?: {
                /** @description Adds `yaml`, the profile in that form. */
                include_yaml?: boolean;
                /** @description Adds `tag_names`, the names of the tag ids in the profile. */
                resolve_tag_names?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDetailDto"];
                };
            };
        };
    };
    ExposureProfiles_createFromTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FromTemplateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDto"];
                };
            };
        };
    };
    ExposureProfiles_get: {
        parameters: {
            query?: {
                /** @description Adds `yaml`, the profile in that form. */
                include_yaml?: boolean;
                /** @description Adds `tag_names`, the names of the tag ids in the profile. */
                resolve_tag_names?: boolean;
            };
            header?: never;
            path: {
                /** @description The profile's id. */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDetailDto"];
                };
            };
        };
    };
    ExposureProfiles_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The profile's id. */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProfileBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDto"];
                };
            };
        };
    };
    ExposureProfiles_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The profile's id. */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedProfileDto"];
                };
            };
        };
    };
    ExposureProfiles_getYaml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The profile's id. */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
        };
    };
    Explanations_explain: {
        parameters: {
            query: {
                /** @description Id of a node of yours, from GET /nodes. */
                node_id: string;
                /** @description Id of an app; without it, an authorized app that requests everything. */
                app_id?: string;
            };
            header?: never;
            path: {
                /** @description The profile's id. */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplanationDto"];
                };
            };
        };
    };
    Explanations_preview: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The profile's id. */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfilePreviewDto"];
                };
            };
        };
    };
    Explanations_previewDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftPreviewBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftPreviewDto"];
                };
            };
        };
    };
    GraphSnapshot_snapshot: {
        parameters: {
            query: {
                /** @description ISO 8601; without an offset it is UTC. Write the `+` of an offset as `%2B`. A time in the future means now. */
                timestamp: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotDto"];
                };
            };
        };
    };
    SimilarNodes_get: {
        parameters: {
            query?: {
                /** @description Page size; values over 20 are lowered to 20. */
                limit?: number;
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimilarNodesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    NodesBulk_batch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDto"];
                };
            };
        };
    };
    NodesBulk_bulkDelete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDeleteBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkDeleteDto"];
                };
            };
        };
    };
    NodeLookups_lookUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookupBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LookedUpNodesDto"];
                };
            };
        };
    };
    NodeFacets_get: {
        parameters: {
            query?: {
                /** @description Own nodes, those that others share with you, or both. */
                access?: "owned" | "shared" | "all";
                /** @description Exactly this node type. */
                node_type?: string;
                /** @description Only nodes of this meaning level. */
                meaning_level?: "DATA" | "CONTEXT" | "IDENTITY";
                /** @description Only nodes of this graph view. Absent: both. */
                view?: "identity" | "neutral";
                /** @description Only nodes with this tag, by its id from GET /tags. */
                tag_id?: string;
                /** @description Part of the title or the value, in any letter case. */
                search?: string;
                /** @description Only nodes with these values in `metadata.properties`, as JSON: a list of 1 to 5 objects with the `path` of a value (keys joined by dots) and any of eq, gt, gte, lt, lte. Numbers are compared with numbers, texts with texts by their characters (so are ISO dates), booleans by `eq`. Values count as you are shown them. */
                properties?: string;
                /** @description Deleted nodes instead, for their owner. */
                deleted?: boolean;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeFacetsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Nodes_list: {
        parameters: {
            query?: {
                /** @description Own nodes, those that others share with you, or both. */
                access?: "owned" | "shared" | "all";
                /** @description Exactly this node type. */
                node_type?: string;
                /** @description Only nodes of this meaning level. */
                meaning_level?: "DATA" | "CONTEXT" | "IDENTITY";
                /** @description Only nodes of this graph view. Absent: both. */
                view?: "identity" | "neutral";
                /** @description Only nodes with this tag, by its id from GET /tags. */
                tag_id?: string;
                /** @description Part of the title or the value, in any letter case. */
                search?: string;
                /** @description Only nodes with these values in `metadata.properties`, as JSON: a list of 1 to 5 objects with the `path` of a value (keys joined by dots) and any of eq, gt, gte, lt, lte. Numbers are compared with numbers, texts with texts by their characters (so are ISO dates), booleans by `eq`. Values count as you are shown them. */
                properties?: string;
                /** @description Deleted nodes instead, for their owner. */
                deleted?: boolean;
                /** @description Adds `tags`, the names of the tags of each node. */
                include_tags?: boolean;
                /** @description Adds `owner`, the id and username of the owner. */
                include_owner?: boolean;
                /** @description The field by which the list is ordered. */
                sort?: "updated_at" | "created_at" | "title";
                /** @description Smallest and oldest first (`asc`), or largest and newest first. */
                order?: "asc" | "desc";
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Nodes_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNodeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    Nodes_count: {
        parameters: {
            query?: {
                /** @description Ids of schemas, separated by commas: nodes of any of them. `__freeform__` stands for nodes without one. */
                schema_ids?: string;
                /** @description Ids of tags, separated by commas: nodes with any of them. */
                tag_ids?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeCountDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Nodes_get: {
        parameters: {
            query?: {
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Nodes_replace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeNodeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    Nodes_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Nodes_merge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ChangeNodeBody"];
                "application/json": components["schemas"]["ChangeNodeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    Nodes_restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    NodeTags_add: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodeTagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeTagDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeTagDto"];
                };
            };
        };
    };
    NodeTags_remove: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedNodeTagDto"];
                };
            };
        };
    };
    NodeFiles_upload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadNodeBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    NodeFiles_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileLinkDto"];
                };
            };
        };
    };
    Neighborhood_get: {
        parameters: {
            query?: {
                /** @description The number of relationships between the node and the furthest nodes of the answer. */
                depth?: number;
                /** @description Page size; values over 500 are lowered to 500. */
                limit?: number;
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description Only these fields of the relationships: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                relationship_fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NeighborhoodDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    NodeRelationships_list: {
        parameters: {
            query?: {
                /** @description Only these fields of the relationships: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description Relationships that start from the node (`outgoing`), lead to it (`incoming`), or both. */
                direction?: "outgoing" | "incoming" | "both";
                /** @description Exactly this type. */
                relationship_type?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeRelationshipsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Search_vector: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VectorSearchBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorHitsDto"];
                };
            };
        };
    };
    Search_search: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchHitsDto"];
                };
            };
        };
    };
    Embeddings_putMany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingsDto"];
                };
            };
        };
    };
    Embeddings_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingDto"];
                };
            };
        };
    };
    EmbeddingSettings_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingSettingsDto"];
                };
            };
        };
    };
    EmbeddingSettings_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingSettingsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingSettingsDto"];
                };
            };
        };
    };
    Relationships_list: {
        parameters: {
            query?: {
                /** @description Only these fields of the relationships: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description Starting from this node. */
                from_node_id?: string;
                /** @description Leading to this node. */
                to_node_id?: string;
                /** @description With this node at either end. */
                node_id?: string;
                /** @description Exactly this type. */
                relationship_type?: string;
                /** @description Only relationships of this view. */
                view?: "identity" | "neutral";
                /** @description Own relationships, those that others share with you, or both. */
                access?: "owned" | "shared" | "all";
                /** @description Adds `from_node` and `to_node`. */
                include_nodes?: boolean;
                /** @description Page size; values over 200 are lowered to 200. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationshipListDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Relationships_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRelationshipBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedRelationshipDto"];
                };
            };
        };
    };
    Relationships_get: {
        parameters: {
            query?: {
                /** @description Only these fields of the relationships: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The relationship's id. */
                relationship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationshipDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Relationships_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The relationship's id. */
                relationship_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRelationshipBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationshipDto"];
                };
            };
        };
    };
    Relationships_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The relationship's id. */
                relationship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedRelationshipDto"];
                };
            };
        };
    };
    ThirdPartyTags_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThirdPartyTagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTagDto"];
                };
            };
        };
    };
    Tags_list: {
        parameters: {
            query?: {
                /** @description Part of the name, letter case aside; every character is literal. */
                search?: string;
                /** @description Exactly this category. Finds only tags that you are shown as a whole. */
                category?: string;
                /** @description Children of this tag. Finds only tags that you are shown as a whole. */
                parent_tag_id?: string;
                /** @description Own tags, tags on nodes that others share with you, or both. */
                access?: "owned" | "shared" | "all";
                /** @description Adds `nodes` and `node_count` to each tag. */
                include_nodes?: boolean;
                /** @description Adds `node_count` to each tag. With include_nodes, which counts the nodes of one view, it adds nothing. */
                include_node_counts?: boolean;
                /** @description The graph view of the nodes that include_nodes adds. Tags belong to both views. */
                view?: "identity" | "neutral";
                /** @description Page number, from 1. */
                page?: number;
                /** @description Page size; values over 200 are lowered to 200. */
                per_page?: number;
                /** @description Page size; takes precedence over per_page; values over 200 are lowered to 200. */
                limit?: number;
                /** @description The number of entries to skip; takes precedence over page. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagListDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Tags_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTagDto"];
                };
            };
        };
    };
    Tags_deleteMany: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDeleteTagsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkDeletedTagsDto"];
                };
            };
        };
    };
    Tags_get: {
        parameters: {
            query?: {
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Tags_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagDto"];
                };
            };
        };
    };
    Tags_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedTagDto"];
                };
            };
        };
    };
    TagContents_listNodes: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Adds the tags of each node. */
                include_tags?: boolean;
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    TagContents_listFiles: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only these fields of the files: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaggedFilesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Schemas_list: {
        parameters: {
            query?: {
                /** @description Exactly this category. */
                category?: string;
                /** @description Part of the name, the description or the URI, letter case aside; every character is literal. */
                search?: string;
                /** @description Only public or only private schemas. */
                scope?: "public" | "private";
                /** @description By owner: schemas of the system, or of people (your own and those of others that you can see). */
                owner?: "system" | "user";
                /** @description Filters by `recommended_by_developer`. */
                recommended?: boolean;
                /** @description Ids, separated by commas. */
                ids?: string;
                /** @description Only schemas of nodes that you can read, or only others. */
                used_by_me?: boolean;
                /** @description Adds `json_schema` to each. */
                include_json_schema?: boolean;
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemasDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Schemas_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSchemaBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaDto"];
                };
            };
        };
    };
    Schemas_categories: {
        parameters: {
            query?: {
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaCategoriesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Schemas_byUri: {
        parameters: {
            query?: {
                /** @description An old version; the latest when absent. */
                version?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description URI of the schema; slashes raw or encoded. */
                schema_uri: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Schemas_get: {
        parameters: {
            query?: {
                /** @description Merges the parents into `json_schema`, and lists them. */
                resolve?: boolean;
                /** @description `false` leaves `json_schema` out. */
                include_json_schema?: boolean;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The schema's id. */
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Schemas_update: {
        parameters: {
            query?: {
                /** @description `true` saves nothing and answers with the effects of the change. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The schema's id. */
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSchemaBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedSchemaDto"];
                };
            };
        };
    };
    Schemas_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The schema's id. */
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Schemas_versions: {
        parameters: {
            query?: {
                /** @description `false` leaves `json_schema` out. */
                include_json_schema?: boolean;
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The schema's id. */
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaVersionsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Schemas_validate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The schema's id. */
                schema_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationDto"];
                };
            };
        };
    };
    FileDownloads_download: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, as `bytes=0-1023`; for several, the whole is sent. */
                Range?: string;
                /** @description An ETag: the range applies only while the content has this ETag. */
                "If-Range"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description OK
             *
             *     The whole content.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    FileDownloads_content: {
        parameters: {
            query?: {
                /** @description The caller who requested the link. */
                caller?: string;
                /** @description The end of the link, in seconds since 1970. */
                expires?: string;
                /** @description The signature of file, caller and end. */
                signature?: string;
            };
            header?: {
                /** @description One range of bytes, as `bytes=0-1023`; for several, the whole is sent. */
                Range?: string;
                /** @description An ETag: the range applies only while the content has this ETag. */
                "If-Range"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description OK
             *
             *     The whole content.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    RawFiles_list: {
        parameters: {
            query?: {
                /** @description Only files of this kind. */
                data_type?: "text" | "image" | "audio" | "video" | "document" | "other";
                /** @description A media type, such as application/pdf. */
                content_type?: string;
                /** @description Files with this tag. */
                tag_id?: string;
                /** @description Files with any of these tags. */
                tag_ids?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Page size; values over 100 are lowered to 100. */
                per_page?: number;
                /** @description Page size; takes precedence over per_page; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip; takes precedence over page. */
                offset?: number;
                /** @description Only these fields of the files: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    RawFiles_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadFileBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDto"];
                };
            };
        };
    };
    RawFiles_get: {
        parameters: {
            query?: {
                /** @description Only these fields of the files: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    RawFiles_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeFileBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDto"];
                };
            };
        };
    };
    RawFiles_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedFileDto"];
                };
            };
        };
    };
    RawFiles_addTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileTagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileTagDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileTagDto"];
                };
            };
        };
    };
    RawFiles_removeTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The file's id. */
                file_id: string;
                /** @description The tag's id. */
                tag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedFileTagDto"];
                };
            };
        };
    };
    NodeHistory_timeline: {
        parameters: {
            query?: {
                /** @description Only changes of this node. */
                node_id?: string;
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    NodeHistory_history: {
        parameters: {
            query?: {
                /** @description Only these fields of the snapshots: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Include the whole node of that version in each entry. */
                include_snapshots?: boolean;
                /** @description Changes at this time or later. */
                start_date?: string;
                /** @description Changes at this time or before. */
                end_date?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    NodeHistory_atTime: {
        parameters: {
            query: {
                /** @description Only these fields of the snapshots: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description ISO 8601; without an offset it is UTC. Write the `+` of an offset as `%2B`. */
                timestamp: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionAtTimeDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    NodeHistory_version: {
        parameters: {
            query?: {
                /** @description Only these fields of the snapshots: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
                /** @description Version number, from 1. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Contributions_ofNode: {
        parameters: {
            query?: {
                /** @description Only contributions of this status. */
                status?: "active" | "superseded" | "rejected" | "merged" | "all";
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description `agent`: an agent was named. Writes of an app that named none are listed under `all` only. */
                contributor_type?: "agent" | "user" | "all";
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeContributionsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Contributions_ledger: {
        parameters: {
            query?: {
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Contributions_ofAgent: {
        parameters: {
            query?: {
                /** @description Only contributions of this status. */
                status?: "active" | "superseded" | "rejected" | "merged" | "all";
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The agent's id. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentContributionsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Sessions_list: {
        parameters: {
            query?: {
                /** @description Only sessions in this state. */
                status?: "created" | "processing" | "completed" | "failed" | "all";
                /** @description Page size; values over 200 are lowered to 200. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Sessions_begin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginSessionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDto"];
                };
            };
        };
    };
    Sessions_get: {
        parameters: {
            query?: {
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The session's id. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Sessions_advance: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The session's id. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceSessionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDto"];
                };
            };
        };
    };
    Analytics_agentStats: {
        parameters: {
            query?: {
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentStatsAnswerDto"];
                };
            };
        };
    };
    Analytics_historyStats: {
        parameters: {
            query?: {
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryStatsDto"];
                };
            };
        };
    };
    Sync_changes: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page; leave it out to begin with everything that you can see. */
                cursor?: string;
                /** @description `all`, `tag:<uuid>` or `schema:<uuid>`. Each scope has cursors of its own. */
                scope?: string;
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description Send the ids of nodes instead of the nodes. */
                ids_only?: boolean;
                /** @description Include the names of tags in the nodes. */
                include_tags?: boolean;
                /** @description Parts that the replica holds beside nodes. Each entry then names its `entity`. */
                include?: string;
                /** @description Seconds to wait if there are no changes: the answer comes as soon as there are. */
                wait?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPageDto"];
                };
            };
        };
    };
    Sync_status: {
        parameters: {
            query?: {
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncStatusDto"];
                };
            };
        };
    };
    Sync_ticket: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncTicketDto"];
                };
            };
        };
    };
    Sync_stream: {
        parameters: {
            query?: {
                /** @description The cursor of the previous page; leave it out to begin with everything that you can see. `Last-Event-ID` takes precedence. */
                cursor?: string;
                /** @description `all`, `tag:<uuid>` or `schema:<uuid>`. Each scope has cursors of its own. */
                scope?: string;
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description Send the ids of nodes instead of the nodes. */
                ids_only?: boolean;
                /** @description Include the names of tags in the nodes. */
                include_tags?: boolean;
                /** @description Parts that the replica holds beside nodes. Each entry then names its `entity`. */
                include?: string;
                /** @description Begin with the changes after this request, without what is there already; in place of a cursor. Moves no position. */
                from?: string;
                /** @description From `POST /sync/ticket`, in place of a credential; it opens one stream. */
                ticket?: string;
            };
            header?: {
                /** @description The cursor to continue from. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    ProposalEvents_poll: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The cursor of the last answer, or the id of an event: only later events are returned. */
                after?: string;
                /** @description Seconds to wait if there are no events: the answer comes as soon as there are. */
                wait?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalEventsDto"];
                };
            };
        };
    };
    Proposals_list: {
        parameters: {
            query?: {
                /** @description Only proposals in this state. */
                status?: "PENDING" | "READY_FOR_APPROVAL" | "APPROVED" | "REJECTED" | "APPLIED" | "FAILED";
                /** @description Only proposals for this view. */
                graph_view?: "identity" | "neutral";
                /** @description Page number, from 1. */
                page?: number;
                /** @description Page size; values over 100 are lowered to 100. */
                per_page?: number;
                /** @description Page size; takes precedence over per_page; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip; takes precedence over page. */
                offset?: number;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    ProposalSubmissions_submit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitProposalBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalDto"];
                };
            };
        };
    };
    ProposalSubmissions_submitAll: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitProposalsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedProposalsDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedProposalsDto"];
                };
            };
        };
    };
    Proposals_get: {
        parameters: {
            query?: {
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Proposals_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedProposalDto"];
                };
            };
        };
    };
    Proposals_enrich: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrichProposalBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalDto"];
                };
            };
        };
    };
    Proposals_approve: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveProposalBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedProposalDto"];
                };
            };
        };
    };
    Proposals_reject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectProposalBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectedProposalDto"];
                };
            };
        };
    };
    Proposals_apply: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedProposalDto"];
                };
            };
        };
    };
    ProposalReview_diff: {
        parameters: {
            query?: {
                /** @description Compares this action only. */
                action_id?: string;
                /** @description Lists only the entries about this node or relationship. */
                entity_id?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalDiffDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    ProposalReview_revert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The proposal's id. */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevertedProposalDto"];
                };
            };
        };
    };
    ProposalSubscriptions_subscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeToProposalsBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalSubscriptionDto"];
                };
            };
        };
    };
    Sharing_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShareBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareDto"];
                };
            };
        };
    };
    Sharing_outgoing: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharesDto"];
                };
            };
        };
    };
    Sharing_incoming: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharesDto"];
                };
            };
        };
    };
    Sharing_revokeReceived: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The user's id. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedSharesDto"];
                };
            };
        };
    };
    Sharing_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The share's id. */
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareDto"];
                };
            };
        };
    };
    Sharing_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The share's id. */
                share_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateShareBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareDto"];
                };
            };
        };
    };
    Sharing_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The share's id. */
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedShareDto"];
                };
            };
        };
    };
    BlockedUsers_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedUsersDto"];
                };
            };
        };
    };
    BlockedUsers_block: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The user's id. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedUserDto"];
                };
            };
        };
    };
    BlockedUsers_unblock: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The user's id. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnblockedUserDto"];
                };
            };
        };
    };
    Follows_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFollowBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowDto"];
                };
            };
        };
    };
    Follows_incoming: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only follows in this state. */
                status?: "pending" | "accepted" | "declined" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowsDto"];
                };
            };
        };
    };
    Follows_outgoing: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only follows in this state. */
                status?: "pending" | "accepted" | "declined" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowsDto"];
                };
            };
        };
    };
    Follows_respond: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The follow's id. */
                follow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RespondBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowDto"];
                };
            };
        };
    };
    Follows_end: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The follow's id. */
                follow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedFollowDto"];
                };
            };
        };
    };
    GroupInvitations_incoming: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsDto"];
                };
            };
        };
    };
    GroupInvitations_answer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The invitation's id. */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationDto"];
                };
            };
        };
    };
    GroupInvitations_pending: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsDto"];
                };
            };
        };
    };
    GroupInvitations_invite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationDto"];
                };
            };
        };
    };
    GroupInvitations_cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The invitation's id. */
                invitation_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationDto"];
                };
            };
        };
    };
    Groups_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupsDto"];
                };
            };
        };
    };
    Groups_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGroupBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
        };
    };
    Groups_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
        };
    };
    Groups_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateGroupBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupDto"];
                };
            };
        };
    };
    Groups_disband: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisbandedGroupDto"];
                };
            };
        };
    };
    Groups_getShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupShareDto"];
                };
            };
        };
    };
    Groups_changeShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupShareBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupShareDto"];
                };
            };
        };
    };
    Groups_share: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupShareBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupShareDto"];
                };
            };
        };
    };
    Groups_revokeShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedGroupShareDto"];
                };
            };
        };
    };
    GroupMembers_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersDto"];
                };
            };
        };
    };
    GroupMembers_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The user's id. */
                user_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
        };
    };
    GroupMembers_remove: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The user's id. */
                user_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeftGroupDto"];
                };
            };
        };
    };
    GroupMembers_promote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The user's id. */
                user_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
        };
    };
    GroupConnections_outgoing: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionsDto"];
                };
            };
        };
    };
    GroupConnections_request: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDto"];
                };
            };
        };
    };
    GroupConnections_incoming: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionsDto"];
                };
            };
        };
    };
    GroupConnections_answer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The connection's id. */
                connection_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDto"];
                };
            };
        };
    };
    GroupConnections_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The connection's id. */
                connection_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDto"];
                };
            };
        };
    };
    GroupGraphs_listNodes: {
        parameters: {
            query?: {
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
                /** @description Exactly this type. */
                node_type?: string;
                /** @description Only nodes of this level. */
                meaning_level?: "DATA" | "CONTEXT" | "IDENTITY";
                /** @description Only nodes of this view. */
                graph_view?: "identity" | "neutral";
                /** @description Part of the title or the value, in any letter case. */
                search?: string;
                /** @description Adds the tags of each node. */
                include_tags?: boolean;
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodesDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    GroupGraphs_createNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNodeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    GroupGraphs_getNode: {
        parameters: {
            query?: {
                /** @description Only these fields of the nodes: names or dotted paths; `-` before a name leaves the field out. Fields that are required in the answer are always present. Separated by commas. */
                fields?: string;
                /** @description The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it. */
                value_limit?: number;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    GroupGraphs_updateNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeNodeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
        };
    };
    GroupGraphs_deleteNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The node's id. */
                node_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GroupGraphs_listTags: {
        parameters: {
            query?: {
                /** @description Page size; values over 1000 are lowered to 1000. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupTagsDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    GroupGraphs_createTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTagDto"];
                };
            };
        };
    };
    GroupProfiles_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupProfilesDto"];
                };
            };
        };
    };
    GroupProfiles_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProfileBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDto"];
                };
            };
        };
    };
    GroupProfiles_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The profile's id. */
                profile_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProfileBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureProfileDto"];
                };
            };
        };
    };
    GroupProfiles_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
                /** @description The ETag of the version that you read; the request is refused with 412 if it has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The profile's id. */
                profile_id: string;
                /** @description The group's id. */
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedProfileDto"];
                };
            };
        };
    };
    AccessLog_list: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description Only accesses by this app. */
                app_id?: string;
                /** @description Only accesses to this node of yours, as far as ids are stored. */
                node_id?: string;
                /** @description Only accesses by this session, one of GET /authorizations/{authorization_id}/sessions. */
                session_id?: string;
                /** @description The way: a request to the REST API, one to the MCP endpoint, or an event that was sent. */
                via?: "rest" | "mcp" | "webhook";
                /** @description The action; every change in the graph but a creation or a deletion is an `update`. `refused`: requests of an app for you that were answered with 403 or 404, counted for each hour, endpoint and status. */
                action?: "read" | "create" | "update" | "delete" | "refused";
                /** @description Only accesses at this time or later. */
                from?: string;
                /** @description Only accesses at this time or before. */
                to?: string;
            };
            header?: {
                /** @description The ETag of an answer that you hold: 304 without a body says that it still holds. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessLogDto"];
                };
            };
            304: components["responses"]["Unchanged"];
        };
    };
    Portability_export: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    Portability_import: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description An archive from GET /export. */
        requestBody: {
            content: {
                "application/zip": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedDto"];
                };
            };
        };
    };
    Webhooks_subscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscribedDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscribedDto"];
                };
            };
        };
    };
    Webhooks_get: {
        parameters: {
            query?: {
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionDto"];
                };
            };
        };
    };
    Webhooks_remove: {
        parameters: {
            query?: {
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
            };
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsubscribedDto"];
                };
            };
        };
    };
    Webhooks_enable: {
        parameters: {
            query?: {
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
            };
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionDto"];
                };
            };
        };
    };
    Webhooks_rotate: {
        parameters: {
            query?: {
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
            };
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscribedDto"];
                };
            };
        };
    };
    Webhooks_test: {
        parameters: {
            query?: {
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
            };
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedDeliveryDto"];
                };
            };
        };
    };
    Webhooks_deliveries: {
        parameters: {
            query?: {
                /** @description Page size; values over 100 are lowered to 100. */
                limit?: number;
                /** @description The number of entries to skip. */
                offset?: number;
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
                /** @description With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours. */
                as_app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveriesDto"];
                };
            };
        };
    };
    Webhooks_redeliver: {
        parameters: {
            query?: {
                /** @description With a JWT: the id of an app that the user has authorized. With a key it can be left out. */
                app_id?: string;
            };
            header?: {
                /** @description Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path: {
                /** @description The delivery's id. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedDeliveryDto"];
                };
            };
        };
    };
    Metadata_server: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerMetadataDto"];
                };
            };
        };
    };
    Metadata_root: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceMetadataDto"];
                };
            };
        };
    };
    Metadata_mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceMetadataDto"];
                };
            };
        };
    };
    Metadata_api: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceMetadataDto"];
                };
            };
        };
    };
    Authorize_authorize: {
        parameters: {
            query?: {
                /** @description Id of an app, or the address of a client’s document. */
                client_id?: string;
                /** @description A key of the app; public clients send none. */
                client_secret?: string;
                /** @description Always code. */
                response_type?: string;
                /** @description Always query. */
                response_mode?: string;
                /** @description One of the client. */
                redirect_uri?: string;
                /** @description Comes back unchanged. */
                state?: string;
                /** @description By S256 (RFC 7636). */
                code_challenge?: string;
                /** @description Always S256. */
                code_challenge_method?: string;
                /** @description Scopes, with spaces between them. */
                scope?: string;
                /** @description The address that tokens are for (RFC 8707). */
                resource?: string;
                /** @description JSON: an array with one object of type graph_access (RFC 9396). */
                authorization_details?: string;
                /** @description Refused: request objects are not supported. */
                request?: string;
                /** @description The address of pushed parameters (RFC 9126). */
                request_uri?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Token_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenDto"];
                };
            };
        };
    };
    Token_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenTextBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedTokenDto"];
                };
            };
        };
    };
    Token_introspect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenTextBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntrospectionDto"];
                };
            };
        };
    };
    PushedRequests_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PushBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushedDto"];
                };
            };
        };
    };
    PushedRequests_device: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["DeviceAuthorizationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceAuthorizationDto"];
                };
            };
        };
    };
    Registration_register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationDto"];
                };
            };
        };
    };
    Consent_get: {
        parameters: {
            query: {
                /** @description The text in the address of the consent page. */
                request: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentDto"];
                };
            };
        };
    };
    Consent_decide: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedDto"];
                };
            };
        };
    };
    Consent_device: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceRequestDto"];
                };
            };
        };
    };
    Mcp_send: {
        parameters: {
            query?: never;
            header?: {
                /** @description The reason for the change, for the history; `change_reason` in a body takes precedence. */
                "X-Change-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A message of JSON-RPC 2.0 */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcAnswerDto"];
                };
            };
        };
    };
    Console_home: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Console_asset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The file. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    Console_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The page. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
}
