package redact

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// Secrets as people write them down: § is the secret. The forms come from the manuals of the
// programs that read them.
var kinds = map[string]string{
	"php constant":          `define('DB_PASSWORD', '§');`,
	"php constant, double":  `define( "AUTH_KEY", "§" );`,
	"php array":             `$db = ['host' => 'h', 'password' => '§'];`,
	"putenv":                `putenv("API_TOKEN=§");`,
	"setenv":                `os.Setenv("DB_PASSWORD", "§")`,
	"set default":           `os.environ.setdefault("SECRET_KEY", "§")`,
	"environment entry":     `os.environ["DB_PASS"] = "§"`,
	"process environment":   `process.env.DB_PASSWORD = '§'`,
	"default of a lookup":   `password = os.getenv("DB_PASSWORD", "§")`,
	"default in script":     `const secret = process.env.JWT_SECRET || '§';`,
	"name and value":        `{"name":"DB_PASSWORD","value":"§"}`,
	"name and value, lines": "{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"§\"\n}",
	"value and name":        `{"value": "§", "name": "DB_PASSWORD"}`,
	"key and value":         `{"key": "api_token", "value": "§", "type": "string"}`,
	"kubernetes env":        "env:\n  - name: DB_PASSWORD\n    value: §\n",
	"kubernetes env, kept":  "env:\n  - name: API_TOKEN\n    value: \"§\"\n",
	"task definition":       `{"Name": "DB_PASSWORD", "Value": "§"}`,
	"parameter":             `{"ParameterKey": "DBPassword", "ParameterValue": "§"}`,
	"assigned pass":         `pass = '§'`,
	"assigned pw":           `pw = "§"`,
	"short in camel case":   `dbPass: '§',`,
	"smtp_pass":             "SMTP_PASS=§\n",
	"pwd":                   `pwd: "§"`,
	"user_pw":               `user_pw = '§'`,
	"passcode":              `passcode = "§"`,
	"sql identified":        `CREATE USER 'app'@'%' IDENTIFIED BY '§';`,
	"sql identified with":   `ALTER USER app IDENTIFIED WITH mysql_native_password BY '§';`,
	"sql with password":     `CREATE ROLE app LOGIN PASSWORD '§';`,
	"sql encrypted":         `ALTER ROLE app WITH ENCRYPTED PASSWORD '§';`,
	"sql login":             `CREATE LOGIN app WITH PASSWORD = '§';`,
	"sql set password":      `SET PASSWORD FOR 'app' = PASSWORD('§');`,
	"sql master key":        `CREATE MASTER KEY ENCRYPTION BY PASSWORD = '§';`,
	"curl -u":               `curl -u admin:§ https://h/x`,
	"curl --user":           `curl -s --user 'admin:§' https://h/x`,
	"curl -U":               `curl -U proxyuser:§ https://h/x`,
	"curl header":           `curl -H "X-Api-Key: §" https://h/x`,
	"curl data":             `curl -d 'username=a&password=§' https://h/login`,
	"curl json":             `curl -d '{"password":"§"}' https://h/login`,
	"httpie":                `http -a admin:§ h/x`,
	"wget":                  `wget --user=a --password=§ https://h/x`,
	"mysql -p":              `mysql -u root -p§ app`,
	"mysqldump -p":          `mysqldump -uroot -p'§' app > x.sql`,
	"mysqladmin":            `mysqladmin --password=§ shutdown`,
	"sshpass":               `sshpass -p '§' ssh a@h`,
	"sshpass, bare":         `sshpass -p § ssh a@h`,
	"docker login":          `docker login -u a -p § registry`,
	"docker run":            `docker run -e MYSQL_ROOT_PASSWORD=§ mysql`,
	"helm":                  `helm install x --set auth.password=§`,
	"redis-cli":             `redis-cli -h h -a § ping`,
	"mongo":                 `mongosh -u a -p § h/db`,
	"psql":                  `PGPASSWORD=§ psql -h h`,
	"ldapsearch":            `ldapsearch -D cn=a -w § -b x`,
	"az":                    `az login --service-principal -u a -p § --tenant t`,
	"keytool":               `keytool -list -storepass § -keystore k`,
	"openssl":               `openssl enc -aes-256-cbc -pass pass:§ -in a`,
	"openssl passin":        `openssl rsa -passin pass:§ -in a`,
	"7z":                    `7z x -p§ a.7z`,
	"unzip":                 `unzip -P § a.zip`,
	"net use":               `net use \\h\x § /user:a`,
	"option with blank":     `tool --api-key § run`,
	"option, token":         `tool --token=§ run`,
	"option, quoted":        `["tool", "--password", "§"]`,
	"kubeconfig":            "    client-key-data: §==\n",
	"kubeconfig token":      "users:\n- name: a\n  user:\n    token: §\n",
	"secret_key_base":       "  secret_key_base: §\n",
	"rails, value":          `config.secret_key_base = '§'`,
	"django":                `SECRET_KEY = '§'`,
	"flask":                 `app.config['SECRET_KEY'] = '§'`,
	"laravel":               "APP_KEY=base64:§=\n",
	"fernet":                `FERNET_KEY = "§="`,
	"fernet, call":          `f = Fernet(b"§=")`,
	"airflow":               "fernet_key = §=\n",
	"har cookie header":     `{"name": "Cookie", "value": "session=§; a=b"}`,
	"har cookie":            `"cookies": [{"name": "session", "value": "§", "path": "/"}]`,
	"har authorization":     `{"name": "Authorization", "value": "Bearer §"}`,
	"cookie":                "Cookie: a=1; session=§\n",
	"set-cookie":            "Set-Cookie: session=§; Path=/; HttpOnly\n",
	"cookie in script":      `headers: { Cookie: 'sessionid=§' }`,
	"header list":           "headers:\n  X-Api-Key:\n    - §\n",
	"header below":          "X-Api-Key:\n- §\n",
	"header":                "X-Auth-Token: §\n",
	"header in code":        `req.Header.Set("X-Api-Key", "§")`,
	"header in script":      `'x-api-key': '§'`,
	"header, authorization": `req.Header.Set("Authorization", "token §")`,
	"authorization, key":    `Authorization: ApiKey §`,
	"authorization, plain":  `"Authorization": "§"`,
	"proxy authorization":   `Proxy-Authorization: Bearer §`,
	"azure sas":             `https://a.blob.core.windows.net/c?sv=2020&sig=§%3D&se=2030`,
	"azure sas, alone":      `?sv=2020-08-04&ss=b&sig=§%2F§%3D`,
	"azure bus":             `Endpoint=sb://a/;SharedAccessKeyName=x;SharedAccessKey=§=`,
	"azure storage":         `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§==`,
	"aws signature":         `https://b.s3.amazonaws.com/k?X-Amz-Signature=§§`,
	"gcs signature":         `https://storage.googleapis.com/b/k?X-Goog-Signature=§§`,
	"query token":           `https://h/x?access_token=§&a=b`,
	"query key":             `https://h/x?api_key=§`,
	"ado":                   `Server=h;Database=d;User Id=a;Password=§;`,
	"jdbc":                  `jdbc:mysql://h/d?user=a&password=§`,
	"jdbc, sqlserver":       `jdbc:sqlserver://h;user=a;password=§;`,
	"odbc":                  `Driver={x};Server=h;Uid=a;Pwd=§;`,
	"uri":                   `mongodb+srv://a:§@h/d`,
	"redis uri":             `redis://:§@h:6379/0`,
	"properties":            "spring.datasource.password=§\n",
	"properties, blanks":    "db.password = §\n",
	"properties, colon":     "ldap.bind.password: §\n",
	"ini":                   "[db]\nuser = a\npass = §\n",
	"ini, quoted":           "[db]\npassword = \"§\"\n",
	"npmrc":                 "//registry/:_authToken=§\n",
	"npmrc, auth":           "_auth = §=\n",
	"npmrc, password":       "//registry/:_password=§\n",
	"pypirc":                "[pypi]\nusername = a\npassword = §\n",
	"netrc":                 "machine h\n  login a\n  password §\n",
	"netrc, line":           "machine h login a password §\n",
	"pgpass":                "h:5432:db:user:§\n",
	"my.cnf":                "[client]\nuser=root\npassword=§\n",
	"redis.conf":            "requirepass §\n",
	"redis.conf, master":    "masterauth §\n",
	"git credentials":       "https://a:§@github.com\n",
	"docker config":         `{"auths": {"h": {"auth": "§="}}}`,
	"htpasswd":              "a:$apr1$§$§\n",
	"shadow":                "a:$6$§$§§:18000:0:99999:7:::\n",
	"wpa":                   "network={\n  ssid=\"x\"\n  psk=\"§\"\n}",
	"cisco":                 "enable secret 5 §\n",
	"hcl":                   "resource \"x\" \"y\" {\n  password = \"§\"\n}",
	"hcl variable":          "variable \"db_password\" {\n  type    = string\n  default = \"§\"\n}",
	"tfvars":                "db_password = \"§\"\n",
	"tfstate":               `"db_password": {"value": "§", "type": "string"}`,
	"xml element":           `<password>§</password>`,
	"xml attribute":         `<user name="a" password="§"/>`,
	"xml add":               `<add key="DbPassword" value="§" />`,
	"xml property":          `<property name="hibernate.connection.password">§</property>`,
	"xml property, value":   `<property name="password" value="§"/>`,
	"xml entry":             `<entry key="apiKey">§</entry>`,
	"maven settings":        "<server>\n  <id>x</id>\n  <password>§</password>\n</server>",
	"plist":                 "<key>Password</key>\n<string>§</string>",
	"plist, token":          "<key>APIToken</key><string>§</string>",
	"android":               `<string name="api_key">§</string>`,
	"gradle":                `storePassword '§'`,
	"gradle, assigned":      `keyPassword = "§"`,
	"gradle properties":     "signing.password=§\n",
	"yaml":                  "password: §\n",
	"yaml, quoted":          "password: '§'\n",
	"yaml block":            "password: >-\n  §\n",
	"yaml next line":        "password:\n  §\n",
	"yaml list":             "tokens:\n  - §\n",
	"yaml, commented":       "# password: §\n",
	"ansible":               "ansible_become_pass: §\n",
	"ansible, ssh":          "h ansible_user=a ansible_ssh_pass=§\n",
	"compose":               "environment:\n  - POSTGRES_PASSWORD=§\n",
	"compose, map":          "environment:\n  POSTGRES_PASSWORD: §\n",
	"actions":               "env:\n  TOKEN: §\n",
	"travis":                "global: SECRET=§\n",
	"dockerfile env":        "ENV DB_PASSWORD §\n",
	"dockerfile env =":      "ENV DB_PASSWORD=§\n",
	"dockerfile arg":        "ARG TOKEN=§\n",
	"makefile":              "TOKEN := §\n",
	"fish":                  "set -x API_TOKEN §\n",
	"csh":                   "setenv API_TOKEN §\n",
	"powershell":            `$env:DB_PASSWORD = "§"`,
	"powershell, secure":    `ConvertTo-SecureString "§" -AsPlainText -Force`,
	"batch":                 "set DB_PASSWORD=§\r\n",
	"java":                  `private static final String PASSWORD = "§";`,
	"java, setter":          `ds.setPassword("§");`,
	"java, put":             `props.put("password", "§");`,
	"java, connection":      `DriverManager.getConnection(url, "a", "§");`,
	"spring annotation":     `@Value("${db.password:§}")`,
	"c#":                    `var password = "§";`,
	"c# property":           `Password = "§",`,
	"go field":              `Password: "§",`,
	"go const":              `const apiToken = "§"`,
	"rust":                  `let password: &str = "§";`,
	"rust, call":            `.password("§")`,
	"python, keyword":       `connect(host="h", user="a", password="§")`,
	"python, tuple":         `auth=("a", "§")`,
	"python, bytes":         `secret = b"§"`,
	"ruby":                  `:password => "§"`,
	"ruby, symbol":          `password: "§"`,
	"perl":                  `my $password = '§';`,
	"swift":                 `let apiToken: String = "§"`,
	"kotlin":                `val apiKey: String = "§"`,
	"elixir":                `config :app, secret_key_base: "§"`,
	"clojure":               `{:password "§"}`,
	"lua":                   `password = "§",`,
	"lisp":                  `(setq smtp-password "§")`,
	"escaped json":          `"{\"password\":\"§\"}"`,
	"log line":              `msg="login" user=a password=§ ok=true`,
	"json, pass":            `{"user":"a","pass":"§"}`,
	"json, credential":      `{"credential": "§"}`,
	"json, private_key_id":  `"client_secret": "§"`,
	"json, refresh":         `"refresh_token": "§"`,
	"webhook secret":        `webhook_secret: "§"`,
	"encryption":            `encryption_key = "§"`,
	"salt":                  `define('SECURE_AUTH_SALT', '§');`,
	"nonce key":             `define('NONCE_KEY', '§');`,
	"sealed in a comment":   `// password: "§"`,
	"markdown":              "| password | `§` |\n",
	"csv":                   "user,password\na,§\n",
}

// generatedSecret and chosenSecret are what programs and people make.
func generatedSecret(r *rand.Rand) string { return of(an, 24+r.IntN(17))(r) }

func chosenSecret(r *rand.Rand) string {
	words := []string{"Winter", "Dragon", "correct", "Falcon", "blue", "Panther"}
	return words[r.IntN(len(words))] + of(lowers, 3)(r) + of(digits, 3)(r) + of("!_.", 1)(r) + of(an, 2)(r)
}

// TestKindsOfSecrets: few of the forms show a secret, and those are named in docs/privacy.md.
func TestKindsOfSecrets(t *testing.T) {
	t.Parallel()
	seed := uint64(os.Getpid())
	random := rand.New(rand.NewPCG(seed, 2))
	shown := map[string]string{}
	for name, form := range kinds {
		seen := 0 // one of six may look like a word
		for i := range 6 {
			make := generatedSecret
			if i%2 == 1 && chosen(name) {
				make = chosenSecret
			}
			secret := make(random)
			text := "before();\n" + strings.ReplaceAll(form, "§", secret) + "\nafter();\n"
			clean, secrets := redacted(text)
			if strings.Contains(clean, secret) {
				if seen++; seen > 1 {
					shown[name] = clean
				}
			}
			if back := secrets.Restore(clean); back != text {
				t.Fatalf("%s came back as %q", text, back)
			}
		}
	}
	for name, clean := range shown {
		t.Logf("%s: %s", name, strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(clean, "before();\n"), "after();\n")))
	}
	t.Logf("seed %d: %d of %d kinds shown", seed, len(shown), len(kinds))
	if len(shown) > 6 {
		t.Errorf("seed %d: %d of %d kinds are shown, want at most 6", seed, len(shown), len(kinds))
	}
}

// chosen reports whether people choose the secret of a kind: tokens and keys are generated.
func chosen(name string) bool {
	form := strings.ToLower(kinds[name])
	return strings.Contains(form, "passw") || strings.Contains(form, "pass")
}
